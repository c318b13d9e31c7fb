import { buyer } from '../buyer'
import { both, expect, looks, test } from '../console'

const areas = { tag: [...[both.tag].flat(), '@areas'] }

test('colleagues see a remark, who did what, and that the slip was printed', looks, async ({ page, staff }) => {
  const shopper = await buyer(page.request, 'demo171')
  const { id, sn } = await shopper.paid()
  await staff.login()
  await page.addInitScript(() => (window.print = () => undefined))
  await page.goto(`/mall/order?orderSn=${sn}&open=${id}`)
  const panel = page.getByRole('complementary')
  await panel.getByRole('button', { name: '备注' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '备注' }).click()
  await expect(dialog.getByRole('textbox')).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByRole('textbox').fill('包成礼物')
  await dialog.getByRole('button', { name: '备注' }).click()
  const history = panel.locator('ol').last().getByRole('listitem')
  await expect(history.first()).toContainText('备注super')
  await expect(history.first()).toContainText('包成礼物')
  await expect(history.last()).toContainText('下单')
  await staff.looksRight('order-noted')

  await page.goto(`/mall/order?orderSn=${sn}&view=slips`)
  await page.getByRole('button', { name: '打印', exact: true }).click()
  await expect(page.getByText('已记录 1 单的打印')).toBeVisible()
  await expect(page.getByText('其中 1 单已打印过。')).toBeVisible()
  await page.getByRole('button', { name: '返回订单列表' }).click()
  await expect(page.getByRole('row').getByText('已打印发货单')).toBeAttached()
  await expect(page.getByRole('row').getByText('1 条备注')).toBeAttached()
})

test('a view keeps its filters and order, and opens from anywhere as a link', areas, async ({ page, staff }) => {
  await staff.login()
  await page.goto('/mall/order?orderStatusArray=301')
  await page.getByRole('button', { name: '实付' }).click()
  await expect(page).toHaveURL(/sort=actual_price/)
  await page.getByRole('button', { name: '视图' }).click()
  await page.getByRole('textbox', { name: '将当前筛选保存为' }).fill('已发货，金额从高到低')
  await page.keyboard.press('Enter')
  const saved = page.getByRole('link', { name: '已发货，金额从高到低' })
  await expect(saved).toBeVisible()
  await staff.settled()
  await page.goto('/mall/order')
  await page.getByRole('button', { name: '视图' }).click()
  await saved.click()
  await expect(page).toHaveURL(/orderStatusArray=301&sort=actual_price/)
  await page.getByRole('button', { name: '视图' }).click()
  await page.getByRole('button', { name: '删除视图已发货，金额从高到低' }).click()
  await expect(saved).toHaveCount(0)
})

test(
  'the tile of low stock leads to the goods that run out, the least first where asked',
  areas,
  async ({ page, staff }) => {
    await staff.login()
    await page.goto('/')
    await page.getByRole('link', { name: /库存不足/ }).click()
    await expect(page).toHaveURL(/stock=low/)
    await expect(page.locator('tbody tr').first()).toBeVisible()
    await page.getByRole('link', { name: /首页/ }).first().click()
    await page.getByRole('link', { name: /未送达消息/ }).click()
    await expect(page).toHaveURL(/kind=dead-letter/)
    await staff.settled()
  },
)
