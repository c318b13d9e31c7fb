// The service worker. It keeps the shell of the pages, so that they open without a network and say so. It never keeps an
// answer of the service: everything under /wx/ goes past it.
const cacheName = 'shop-' + "1123a4ebd351"
const files = ["/","/icons/shop.svg","/manifest.webmanifest","/assets/AppIcon-B47A7BHr.css","/assets/AppIcon-NONpOSLf.js","/assets/CountDown-BbM0RQJL.css","/assets/CountDown-DRDLWeeL.js","/assets/CouponTicket-BAU8BSJz.css","/assets/CouponTicket-D2zKp6sH.js","/assets/GoodsGrid-ChaU03BD.css","/assets/GoodsGrid-DtumiU9D.js","/assets/HomePage-DH_xWc54.css","/assets/HomePage-Dwc0yc-i.js","/assets/PriceText-Bz_Z2vkP.css","/assets/PriceText-b35tME1f.js","/assets/SectionHead-CC31S8CQ.css","/assets/SectionHead-VYyC3i_G.js","/assets/ShopPicture-Bw3Js1-4.css","/assets/ShopPicture-D3NNU2G_.js","/assets/SkeletonBlock-BTiwK7JW.js","/assets/SkeletonBlock-Dx2nZM_8.css","/assets/SlideShow-ChUfUs4V.css","/assets/SlideShow-yTzY1tj3.js","/assets/StateEmpty-B3MGo7sl.js","/assets/StateFailed-BIbyWmeP.js","/assets/StateNote-DE_onjIH.js","/assets/StateNote-nR_F3RXw.css","/assets/banner-C_i6Ai1k.js","/assets/coupon-D1Ay6qDr.js","/assets/en-IdE-yQKW.js","/assets/failure-DSJ84gSB.js","/assets/index-suOptYVK.js","/assets/index-yhr4l_sk.css","/assets/login-Dx2WLmDY.js","/assets/pinia-DV9xyOC7.js","/assets/preload-helper-DygEbaNj.js","/assets/settings-CSjgrP6a.js","/assets/tick-CgNy7obW.js","/assets/time-AZMxSOAE.js","/assets/title-D7hflSYH.js","/assets/useApi-SF8tY_yo-C0vjZUHT.js","/assets/zh-D_y47p7f.js"]

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
