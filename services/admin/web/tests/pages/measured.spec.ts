import type { Page, Route } from '@playwright/test'
import { buyer } from '../buyer'
import { expect, test } from '../console'
import { made, stored } from '../goods'
import { newName } from '../operators'

// What the console costs, compared within one run, since the speed of a machine says nothing of the page.

const measured = { tag: ['@areas', '@wide'] }

/** Scrolls a page to its end and back, and counts the tasks of more than 50 ms meanwhile. */
async function longTasks(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let count = 0
    const observer = new PerformanceObserver((list) => (count += list.getEntries().length))
    observer.observe({ type: 'longtask' })
    const frame = () => new Promise(requestAnimationFrame)
    const end = document.documentElement.scrollHeight
    for (const direction of [1, -1]) {
      for (let at = 0; at < end; at += 120) {
        window.scrollBy(0, 120 * direction)
        await frame()
      }
    }
    count += observer.takeRecords().length
    observer.disconnect()
    return count
  })
}

test('a list of 100 rows scrolls as smoothly as a plain table of them', measured, async ({ page, staff, browser }) => {
  test.slow()
  await staff.login()
  await page.goto('/mall/order?limit=100')
  await staff.quiet()
  await expect(page.locator('tbody tr')).toHaveCount(100)
  const rows = await page
    .locator('tr')
    .evaluateAll((all) =>
      all.map((row) => `<tr>${[...row.children].map((cell) => `<td>${cell.textContent}</td>`).join('')}</tr>`),
    )
  const plain = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await plain.setContent(`<table style="line-height: 46px">${rows.join('')}</table>`)

  // They take turns. A task of the page's own is there in every round; what the machine does beside it is not.
  const counts: [console: number, plain: number][] = []
  const better = () => counts.some(([console, plain]) => console <= plain)
  for (let round = 0; round < 10 && !better(); round++) {
    await page.bringToFront()
    const ours = await longTasks(page)
    await plain.bringToFront()
    counts.push([ours, await longTasks(plain)])
  }
  await plain.close()
  expect(better(), JSON.stringify(counts)).toBe(true)
})

test('an order of 60 lines shows its head with one request', measured, async ({ page, staff }) => {
  const name = newName('线')
  const goodsId = await made(page, name, [...Array(60).keys()].map(String), '1.00')
  const shopper = await buyer(page.request, 'demo175')
  await shopper.wx('/wx/cart/checked', { productIds: [], isChecked: 0 }).catch(() => undefined)
  for (const { id: productId } of (await stored(page, goodsId)).products) {
    await shopper.wx('/wx/cart/add', { goodsId, productId, number: 1 })
  }
  const address = await shopper.wx<{ list: { id: number }[] }>('/wx/address/list')
  const submission = { cartId: 0, addressId: address.list[0]?.id, couponId: 0 }
  const { orderId } = await shopper.wx<{ orderId: number }>('/wx/order/submit', submission)
  const sn = String((await shopper.order(orderId)).orderSn)

  await staff.login()
  await page.goto(`/mall/order?orderSn=${sn}`)
  await staff.quiet()
  // The first request about orders is answered, all others wait.
  const held: Route[] = []
  let asked = 0
  await page.route('**/admin/order/**', async (route) => {
    if (asked++ === 0) await route.continue()
    else held.push(route)
  })
  await page.getByRole('link', { name: sn }).click()
  const panel = page.getByRole('complementary')
  await expect(panel.getByRole('heading', { name: sn })).toBeVisible()
  await expect(panel.getByText('未付款').first()).toBeVisible()
  await expect(panel.getByText('收货人')).toBeVisible()
  await page.unroute('**/admin/order/**')
  for (const route of held) await route.continue()
  await expect(panel.getByText(name)).toHaveCount(60)
  await staff.settled()
})
