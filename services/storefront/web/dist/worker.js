// The service worker. It keeps the shell of the pages, so that they open without a network and say so. It never keeps an
// answer of the service: everything under /wx/ goes past it.
const cacheName = 'shop-' + "1d0a34123c09"
const files = ["/","/icons/shop.svg","/manifest.webmanifest","/assets/AppIcon-B47A7BHr.css","/assets/AppIcon-CgxwtyFI.js","/assets/CountDown-BbM0RQJL.css","/assets/CountDown-DTcPwAjz.js","/assets/CouponTicket-BAU8BSJz.css","/assets/CouponTicket-BOEMM9KB.js","/assets/GoodsGrid-Ch9pRo5G.js","/assets/GoodsGrid-ChaU03BD.css","/assets/HomePage-BX8P7rZZ.js","/assets/HomePage-DWZzeaMl.css","/assets/PriceText-Bz_Z2vkP.css","/assets/PriceText-_l1wmYjC.js","/assets/SectionHead-CC31S8CQ.css","/assets/SectionHead-Cf33dhbp.js","/assets/ShopPicture-Bw3Js1-4.css","/assets/ShopPicture-DCE0FD-C.js","/assets/SkeletonBlock-Ctm7Lews.js","/assets/SkeletonBlock-Dx2nZM_8.css","/assets/SlideShow-ChUfUs4V.css","/assets/SlideShow-Dj_RnsV1.js","/assets/StateEmpty-B-n_Rx3b.js","/assets/StateFailed-C6LP6Uin.js","/assets/StateNote-BUu7B-j6.js","/assets/StateNote-nR_F3RXw.css","/assets/banner-C_i6Ai1k.js","/assets/coupon-BK7tGaRP.js","/assets/en-IdE-yQKW.js","/assets/failure-CkHmG_Pf.js","/assets/index-5Da_MTmX.js","/assets/index-CEMAHzJ8.css","/assets/login-CqyNyKNv.js","/assets/pinia-BDI_-2u4.js","/assets/settings-CSjgrP6a.js","/assets/tick-CbsHC8Nf.js","/assets/time-B4XMww2t.js","/assets/title-9tq3ia99.js","/assets/useApi-SF8tY_yo-BE0Ve2DE.js","/assets/zh-D_y47p7f.js"]

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
