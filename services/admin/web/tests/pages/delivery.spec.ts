import { buyer } from '../buyer'
import { expect, test } from '../console'
import { ask, tokenOf } from '../operators'

// An order that is collected in the shop: it is noted as ready, and handed over by its code, with the keyboard.

test('an order is noted as ready, and handed over by its code', async ({ page, staff }) => {
  staff.mayFail('402: ')
  const owner = await tokenOf(page.request, 'super')
  await ask(page.request, owner, '/admin/config/express', {
    litemall_express_ways: 'parcel,collect',
    litemall_express_collect_address: '人民路 1 号',
    litemall_express_collect_hours: '9:00–18:00',
  })
  const shopper = await buyer(page.request, 'demo45')
  const { id, sn } = await shopper.paid(5, { delivery: 'collect' })
  const code = String((await shopper.order(id)).collectCode)
  await staff.login()
  await page.goto(`/mall/order?delivery=collect&orderSn=${sn}&open=${id}`)
  const panel = page.getByRole('complementary')
  await expect(panel.getByText('人民路 1 号')).toBeVisible()
  await panel.getByRole('button', { name: '订单发货' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('买家会收到通知，凭取货码到店取货。')).toBeVisible()
  await expect(dialog.getByLabel('快递单号')).toHaveCount(0)
  await dialog.getByRole('button', { name: '订单发货' }).click()
  await expect(panel.getByText('待取货').first()).toBeVisible()
  await staff.settled()

  await page.goto('/mall/order?view=collect')
  const field = page.getByLabel('取货码')
  await expect(field).toBeFocused()
  await page.keyboard.type('0000')
  await page.keyboard.press('Enter')
  await expect(page.getByText('取货码不正确，或订单已经取走').first()).toBeVisible()
  await field.fill('')
  await page.keyboard.type(`${code.slice(0, 4)} ${code.slice(4)}`)
  await page.keyboard.press('Enter')
  await expect(page.getByText(`订单 ${sn} 已交付`)).toBeVisible()
  await expect(field).toBeFocused()
  await staff.settled()
  expect(await shopper.order(id)).toMatchObject({ orderStatus: 401 })
})
