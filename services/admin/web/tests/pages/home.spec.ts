import { expect, test } from '../console'
import { newOperator } from '../operators'

test('what waits leads to the list of it', async ({ page, staff }) => {
  await staff.login()
  await page.goto('/')
  const tile = page.getByRole('link', { name: /^退款申请/ })
  const count = (await tile.getByText(/^\d+$/).textContent()) ?? ''
  await staff.settled()
  await page.getByRole('button', { name: '90 天' }).click()
  await page.getByText('以表格查看').first().click()
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(91)
  await staff.settled()
  await tile.click()
  await expect(page).toHaveURL(/orderStatusArray=202/)
  await expect(page.getByText(`共 ${count} 条`)).toBeVisible()
})

test('the clerk sees what waits and no charts', async ({ page, staff }) => {
  await staff.login('clerk')
  await page.goto('/')
  await expect(page.getByRole('region', { name: '待办' }).getByRole('link')).toHaveCount(5)
  await staff.settled()
  await expect(page.getByRole('region', { name: '经营情况' })).toHaveCount(0)
})

test('who sees no orders sees no tile, and the pages that there are', async ({ page, staff }) => {
  await staff.login(await newOperator(page.request, 'admin:feedback:list'))
  await page.goto('/')
  await expect(page.getByRole('main').getByRole('link')).toHaveText(['意见反馈'])
  await staff.settled()
})
