// The service worker. It keeps the shell of the pages, so that they open without a network and say so. It never keeps an
// answer of the service: everything under /wx/ goes past it.
const cacheName = 'shop-' + "c1ce2c595cad"
const files = ["/","/icons/shop.svg","/manifest.webmanifest","/assets/AppIcon-B47A7BHr.css","/assets/AppIcon-Cwl4noTJ.js","/assets/CountDown-BbM0RQJL.css","/assets/CountDown-CaCkuZxR.js","/assets/CouponTicket-B5Ou2lBk.js","/assets/CouponTicket-CFAHjTH8.css","/assets/GoodsGrid-LSRZo_Xf.css","/assets/GoodsGrid-bM8ub40Y.js","/assets/HomePage-B9R6CnXo.js","/assets/HomePage-CskgA82I.css","/assets/PriceText-C7OkzdBr.js","/assets/PriceText-DMu1LHJz.css","/assets/SectionHead-BVxnQVoY.css","/assets/SectionHead-Dlu79Cl6.js","/assets/ShopPicture-9ZZFFkZx.js","/assets/ShopPicture-Bw3Js1-4.css","/assets/SkeletonBlock-CLcqMHLU.js","/assets/SkeletonBlock-Dx2nZM_8.css","/assets/SlideShow-BhWOGUjo.js","/assets/SlideShow-ChUfUs4V.css","/assets/StateEmpty-C2iqQsuH.js","/assets/StateFailed-BUsfnWwn.js","/assets/StateNote-DLMshujm.js","/assets/StateNote-nR_F3RXw.css","/assets/banner-C_i6Ai1k.js","/assets/coupon-DROWn0Ua.js","/assets/en-CptuKzFQ.js","/assets/failure-CWyecAQ2.js","/assets/index-BFze39Mq.js","/assets/index-DwiWg88s.css","/assets/login-CERWCQNN.js","/assets/pinia-DZS7Mqux.js","/assets/tick-BJuMORjk.js","/assets/time-Crma102q.js","/assets/title-0FuhW26U.js","/assets/useApi-SF8tY_yo-asjMLd58.js","/assets/zh-BsRyvMQa.js"]

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
