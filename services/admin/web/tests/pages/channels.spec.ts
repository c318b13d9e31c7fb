import { expect, looks, test } from '../console'

// Staff choose how shoppers can pay.

const areas = { tag: '@areas' }

test('a channel is not switched off if it is the last', areas, async ({ page, staff }) => {
  await staff.login()
  await page.goto('/config/channel')
  const form = page.getByRole('region', { name: '收款方式' })
  const box = form.getByRole('checkbox', { name: '沙箱支付' })
  await expect(box).toBeChecked()
  await expect(form.getByRole('button', { name: '编辑' })).toBeDisabled()
  await box.press('Space')
  await form.getByRole('button', { name: '编辑' }).press('Enter')
  await expect(form.getByText('至少选择一种')).toBeVisible()
  await staff.settled()
})

test('config-channel looks right', looks, async ({ page, staff }) => {
  await staff.login()
  await page.goto('/config/channel')
  await staff.looksRight('config-channel')
})
