// The service worker. It keeps the shell of the pages, so that they open without a network and say so. It never keeps an
// answer of the service: everything under /wx/ goes past it.
const cacheName = 'shop-' + "32d4691ec4ab"
const files = ["/","/icons/shop.svg","/manifest.webmanifest","/assets/AppIcon-B47A7BHr.css","/assets/AppIcon-D2R7bhDG.js","/assets/CountDown-BbM0RQJL.css","/assets/CountDown-BwTXWWOq.js","/assets/CouponTicket-BKHN-El-.js","/assets/CouponTicket-DZvMDQWT.css","/assets/GoodsGrid-BFWIxiqB.js","/assets/GoodsGrid-ChaU03BD.css","/assets/HomePage-DWZzeaMl.css","/assets/HomePage-WUJZBTRI.js","/assets/PriceText-Bz_Z2vkP.css","/assets/PriceText-DkmqSPgn.js","/assets/SectionHead-C59ZyMRJ.js","/assets/SectionHead-CC31S8CQ.css","/assets/ShopPicture-Bw3Js1-4.css","/assets/ShopPicture-DmzSwrsI.js","/assets/SkeletonBlock-BYtXBArc.js","/assets/SkeletonBlock-Dx2nZM_8.css","/assets/SlideShow-C7IukNd9.js","/assets/SlideShow-ChUfUs4V.css","/assets/StateEmpty-ET_kHtvK.js","/assets/StateFailed-f5Z8Fb3O.js","/assets/StateNote-DnQyY706.js","/assets/StateNote-nR_F3RXw.css","/assets/banner-C_i6Ai1k.js","/assets/coupon-DS77cEih.js","/assets/en-CJPFLT6M.js","/assets/failure-D37Y0eON.js","/assets/index-BqjGEnga.js","/assets/index-CEMAHzJ8.css","/assets/login-B3rhfLvc.js","/assets/pinia-sErSFf1K.js","/assets/tick-BpwboceD.js","/assets/time-CE1HWf3k.js","/assets/title-Bu2HB1dD.js","/assets/useApi-SF8tY_yo-BqOmL5e2.js","/assets/zh-CSytuIsE.js"]

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(cacheName)
      .then((cache) => cache.addAll(files.map((file) => new Request(file, { cache: 'reload' }))))
      .then(() => self.skipWaiting()),
  )
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  )
})

// A page comes from the network, and from what is kept where there is none. Files with a hash in their name never change.
self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url)
  if (event.request.method !== 'GET' || url.origin !== location.origin || url.pathname.startsWith('/wx/')) return
  if (event.request.mode === 'navigate') {
    event.respondWith(fetch(event.request).catch(() => caches.match('/').then((page) => page ?? Response.error())))
  } else if (url.pathname.startsWith('/assets/')) {
    event.respondWith(kept(event.request))
  }
})

async function kept(request) {
  const found = await caches.match(request)
  if (found) return found
  const answer = await fetch(request)
  if (answer.ok) {
    const cache = await caches.open(cacheName)
    await cache.put(request, answer.clone())
  }
  return answer
}
