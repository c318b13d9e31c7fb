import { both, expect, looks, test } from '../console'
import { ask, newOperator, tokenOf } from '../operators'

test('a page, a command and an order are found with the keys', both, async ({ page, staff }) => {
  const owner = await tokenOf(page.request, 'super')
  type Orders = { list: { id: number; orderSn: string }[] }
  const [order] = (await ask<Orders>(page.request, owner, '/admin/order/list?limit=1')).list
  await staff.login()
  await page.goto('/')
  await staff.quiet()
  await page.keyboard.press('/')
  const dialog = page.getByRole('dialog', { name: '查找' })
  const field = dialog.getByRole('combobox')
  await expect(field).toBeFocused()
  await field.fill('hygl')
  await expect(dialog.getByRole('option')).toHaveCount(1)
  await staff.settled()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/user\/user$/)
  await staff.quiet()

  await page.keyboard.press('Control+k')
  await field.fill(order?.orderSn ?? 'none')
  await expect(dialog.getByRole('option', { name: /订单 ·/ })).toHaveCount(1)
  // What an older word has found is not opened by Enter.
  await field.fill('zzzz')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeVisible()
  await field.fill(order?.orderSn ?? 'none')
  await expect(dialog.getByRole('option', { name: /订单 ·/ })).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/mall/order\\?open=${order?.id}`))
  await expect(page.getByRole('heading', { name: order?.orderSn })).toBeVisible()
  await staff.quiet()
})

test('who may not find records finds pages, and sends nothing', async ({ page, staff }) => {
  const name = await newOperator(page.request, 'admin:order:list')
  await staff.login(name)
  const sent: string[] = []
  page.on('request', (request) => sent.push(new URL(request.url()).pathname))
  await page.goto('/')
  await staff.quiet()
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: '查找' })
  await dialog.getByRole('combobox').fill('订单')
  await expect(dialog.getByRole('option')).not.toHaveCount(0)
  await dialog.getByRole('combobox').fill('没有这一页')
  await expect(dialog.getByText('没有找到')).toBeVisible()
  expect(sent).not.toContain('/admin/find')
})

test('what is found looks right', looks, async ({ page, staff }) => {
  await staff.login()
  await page.addInitScript(() => localStorage.setItem('shop.language', 'en'))
  await page.goto('/')
  await staff.quiet()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('order')
  await expect(page.getByRole('option').first()).toBeVisible()
  await staff.settled()
  await staff.pictured('find-en')
})
