import type { APIRequestContext } from '@playwright/test'
import { of, payInSandbox, Shopper, submit } from '../buying'
import { clerk } from '../orders'
import { both, expect, test } from '../shop'

// How an order reaches the shopper: as a parcel, collected in the shop, or by the shop's own courier where it goes.

/** Offers all ways; the courier goes to Tibet alone. */
async function offered(request: APIRequestContext): Promise<void> {
  const call = await clerk(request, 'super')
  const rules = [{ firstPrice: 5, regions: [540000] }, { refused: true }]
  const courier = { name: `courier ${Date.now()} ${Math.random()}`, charge: 2, rules }
  const { id } = await call<{ id: number }>('post', '/admin/freight/create', courier)
  const ways = {
    litemall_express_ways: 'parcel,collect,courier',
    litemall_express_collect_address: '人民路 1 号',
    litemall_express_collect_hours: '9:00–18:00',
    litemall_express_courier_freight: id,
  }
  await call('post', '/admin/config/express', ways)
}

test('who is not brought the goods collects them', both, async ({ page, shop, isMobile }) => {
  const name = of(14, isMobile)
  await offered(page.request)
  const shopper = await Shopper.begin(name, page.request)
  await shopper.put(3)
  await shop.login(name)
  await page.goto('/checkout')
  const way = (label: RegExp) => page.getByRole('radio', { name: label })
  await expect(way(/快递/)).toBeChecked()
  await way(/本店配送/).check()
  await expect(page.getByRole('alert')).toContainText('请换一个地址或配送方式')
  await shop.looksRight('checkout-delivery')
  await page.goto('/checkout') // the choice is kept
  await expect(way(/本店配送/)).toBeChecked()
  await submit(page).click()
  await expect(page).toHaveURL(/\/checkout$/)
  await way(/到店自取/).check()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await submit(page).click()
  await expect(page).toHaveURL(/\/pay\/\d+$/)
  const id = /\d+$/.exec(page.url())?.[0]
  await payInSandbox(page)
  await page.goto(`/orders/${id}`)
  await expect(page.getByRole('img', { name: '取货码的二维码' })).toBeVisible()
  await expect(page.getByText(/^\d{4} \d{4}$/)).toBeVisible()
  await expect(page.getByText('人民路 1 号')).toBeVisible()
  await shop.looksRight('order-collect')
})
