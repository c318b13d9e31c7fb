// The service worker. It keeps the shell of the pages, so that they open without a network and say so. It never keeps an
// answer of the service: everything under /wx/ goes past it.
const cacheName = 'shop-' + "5ce506c4795c"
const files = ["/index.html","/icons/shop.svg","/manifest.webmanifest","/assets/HomePage-qs2qeEXM.js","/assets/en-CgaxVvLn.js","/assets/index-DZgY-vAI.js","/assets/shared-Da-AMnwm.js","/assets/style-XGP76JGT.css","/assets/zh-BhXsUwzr.js"]
const others = ["/assets/AccountPage-Cn1qL0cc.js","/assets/AddressPage-DDj5qVab.js","/assets/AddressesPage-DTpQrz8Q.js","/assets/BrandPage-CuiKOaOQ.js","/assets/BrandsPage-BqGdMu3k.js","/assets/CartPage-B6myC2CT.js","/assets/CasePage-i_PalDFm.js","/assets/CasesPage-BBDzWBYL.js","/assets/CategoryPage-C1pX6VV_.js","/assets/CheckBox-UCdeXuNC.js","/assets/CheckoutPage-DUsXGSzv.js","/assets/ChoiceChips-CHj2Tge4.js","/assets/CommentsPage-nLJ7Q-dT.js","/assets/CouponsPage-CWVD1xpK.js","/assets/CouponsPage-L377m8jw.js","/assets/FavouritesPage-DAS3pFrA.js","/assets/FeedbackPage-4SJvjBDz.js","/assets/FootprintsPage-C6DdEvNk.js","/assets/GoodsListPage-Bq6Hz6uO.js","/assets/GoodsPage-BAzQOGdK.js","/assets/GroupInvite-7AUgPXOe.js","/assets/GroupPage-B1xXzE0E.js","/assets/GroupPage-DmVpDxpu.js","/assets/GroupsPage-CXGM_pGA.js","/assets/GroupsPage-D605Poge.js","/assets/HelpPage-CRLnK9ZR.js","/assets/LoginPage-CxUzwlzV.js","/assets/MissingPage-BSQtTdZm.js","/assets/MobilePage-BaEtWTlR.js","/assets/OrderAsk-abzvwx_I.js","/assets/OrderPage-DJB_m_Cy.js","/assets/OrdersPage-BS333_XS.js","/assets/PaidPage-Df72U6Bg.js","/assets/PayPage-C-VbE4yK.js","/assets/ProfilePage-CoY7SwxG.js","/assets/QrCode-Ckw93z95.js","/assets/RegisterPage-BWrpqyb-.js","/assets/ResetPage-VbkmiPq0.js","/assets/ReviewPage-BuyroRVB.js","/assets/RichText-Bp7pJStz.js","/assets/SearchPage-CpqZXJ4X.js","/assets/SortBar-DmjfWaK8.js","/assets/StarPick-BP2h37js.js","/assets/ThingRow-C7uxWsM3.js","/assets/TimeLine-LeTi5AJ2.js","/assets/TopicCard-GUDm2kk6.js","/assets/TopicPage-CV_WLaS3.js","/assets/TopicsPage-CZVDRQbp.js","/assets/address-DpIyizcV.js","/assets/addressLine-CckRiXCE.js","/assets/case-C-Qtsmi-.js","/assets/freight-Ds_m6Bry.js","/assets/group-B6DZtjWg.js","/assets/purchase-BoRDVi71.js","/assets/words-DHQpzZUK.js"] // the files of the other pages

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

// The page asks for the rest when it has nothing else to do: then every page opens without a network.
self.addEventListener('message', (event) => {
  if (event.data === 'keep') event.waitUntil(keepOthers())
})

async function keepOthers() {
  for (const file of others) {
    try {
      await kept(new Request(file))
    } catch {
      return // no network: the next page asks again
    }
  }
}

// A page comes from the network; where there is none, the page without content is kept. Files with a hash in their name
// never change.
self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url)
  if (event.request.method !== 'GET' || url.origin !== location.origin || url.pathname.startsWith('/wx/')) return
  if (event.request.mode === 'navigate') {
    event.respondWith(
      fetch(event.request).catch(() => caches.match('/index.html').then((page) => page ?? Response.error())),
    )
  } else if (url.pathname.startsWith('/assets/') || files.includes(url.pathname)) {
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
