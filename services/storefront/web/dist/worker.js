// The service worker. It keeps the shell of the pages, so that they open without a network and say so. It never keeps an
// answer of the service: everything under /wx/ goes past it.
const cacheName = 'shop-' + "eafd3dd9361b"
const files = ["/","/icons/shop.svg","/manifest.webmanifest","/assets/AppIcon-B47A7BHr.css","/assets/AppIcon-D_TtI3gG.js","/assets/CountDown-BS7gGgfH.js","/assets/CountDown-BbM0RQJL.css","/assets/CouponTicket-sI-lvgwp.js","/assets/CouponTicket-twbzD_ZY.css","/assets/GoodsGrid-Daef6VMW.js","/assets/GoodsGrid-LSRZo_Xf.css","/assets/HomePage-C2r2ItVP.css","/assets/HomePage-CpOW8rvv.js","/assets/PriceText-D1dY_aTD.js","/assets/PriceText-DvfxekFB.css","/assets/SectionHead-BVxnQVoY.css","/assets/SectionHead-DGljrrgY.js","/assets/ShopPicture-Bw3Js1-4.css","/assets/ShopPicture-z42fYW4J.js","/assets/SkeletonBlock-DFzXGw0R.js","/assets/SkeletonBlock-Dx2nZM_8.css","/assets/SlideShow-B7-LmkrX.css","/assets/SlideShow-CrqVUlj-.js","/assets/StateEmpty-ChksSwR-.js","/assets/StateFailed-BDp_RAhD.js","/assets/StateNote-D_2QhV_L.js","/assets/StateNote-nR_F3RXw.css","/assets/banner-C_i6Ai1k.js","/assets/coupon-BGnXBHBv.js","/assets/en-CLI2SVCQ.js","/assets/failure-B0ePJ5bp.js","/assets/index-6oIPaV6x.css","/assets/index-DVr5e9JL.js","/assets/load-DXGd6J7v.js","/assets/login-CvfAZDDi.js","/assets/time-HP9MjryV.js","/assets/zh-KVxC9QM0.js"]

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
