import { buyer } from '../buyer'
import { expect, test } from '../console'

test('a new order is told of until the orders are looked at, to who chose so', async ({ page, staff }) => {
  const shopper = await buyer(page.request, 'demo169')
  const counted = () => page.waitForResponse('**/admin/order/counts')
  await staff.login()
  await page.goto('/user/user')
  await staff.quiet()
  await page.getByRole('button', { name: '账号' }).click()
  const first = counted()
  await page.getByRole('group', { name: '新订单提醒' }).getByRole('button', { name: '角标' }).click()
  await first
  await page.keyboard.press('Escape')

  // Another story may ship an order in between, which hides a new one; then the next one is told of.
  await expect(async () => {
    await shopper.paid()
    const again = counted()
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))) // as if the page were looked at again
    await again
    await expect(page).toHaveTitle(/^\(\d+\) 会员管理/, { timeout: 2_000 })
  }).toPass()
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /订单管理.*个新订单/ })
    .click()
  await expect(page).toHaveTitle(/^订单管理/)
  await expect(page.getByRole('link', { name: /个新订单/ })).toHaveCount(0)
  await staff.settled()
})
