import type { Page } from '@playwright/test'
import { hiddenFocus, tooWide } from '../../../../../pkg/web/harness/focus'
import { ask, newShopper } from '../people'
import { screens } from '../screens'
import { expect, test, type Shop } from '../shop'

// A screen of 1280 x 800 at 200 %, and the narrowest screen that a page has to fit without scrolling sideways.
const enlarged = { width: 640, height: 400 }
const narrowest = { width: 320, height: 640 }

test.use({ viewport: enlarged, isMobile: false, locale: 'en-US' }) // the longer words

async function usable(page: Page, shop: Shop, path: string): Promise<void> {
  await page.setViewportSize(enlarged)
  await page.goto(path)
  for (const size of [enlarged, narrowest]) {
    await page.setViewportSize(size)
    await shop.quiet()
    await expect.poll(() => tooWide(page)).toEqual([])
    expect(await hiddenFocus(page)).toEqual([])
  }
}

for (const [name, path, as] of screens) {
  test(`${name} can be used enlarged`, async ({ page, shop }) => {
    if (name === 'missing') shop.mayFail(path) // its status is 404
    if (as) await shop.login(as)
    await usable(page, shop, path)
  })
}

test('what is being bought can be used enlarged', async ({ page, shop }) => {
  const { username, token } = await newShopper(page)
  for (const goodsId of [1, 3]) {
    const { productList } = await ask<{ productList: { id: number }[] }>(page, token, `/wx/goods/detail?id=${goodsId}`)
    await ask(page, token, '/wx/cart/add', { goodsId, productId: productList[0]?.id, number: 1 })
  }
  await shop.login(username)
  await usable(page, shop, '/cart')
  await usable(page, shop, '/checkout')
})
