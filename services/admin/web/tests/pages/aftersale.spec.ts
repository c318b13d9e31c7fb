import type { Page } from '@playwright/test'
import { buyer } from '../buyer'
import { both, expect, test } from '../console'
import { panel } from '../form'

/** Cases that wait for a decision, by their numbers. */
async function asked(page: Page, name: string, count: number): Promise<string[]> {
  const shopper = await buyer(page.request, name)
  const numbers: string[] = []
  for (let i = 0; i < count; i++) {
    const { id } = await shopper.received()
    const request = { orderId: id, type: 1, reason: '太小', amount: 1, pictures: [], comment: '包装已经拆开' }
    await shopper.wx('/wx/aftersale/submit', request)
    const { aftersale } = await shopper.wx<{ aftersale: { aftersaleSn: string } }>(`/wx/aftersale/detail?orderId=${id}`)
    numbers.push(aftersale.aftersaleSn)
  }
  return numbers
}

test('a case is approved and refunded', both, async ({ page, staff, isMobile }) => {
  const [sn = ''] = await asked(page, isMobile ? 'demo165' : 'demo164', 1)
  await staff.login()
  await page.goto('/mall/aftersale')
  await page.getByRole('link', { name: '待审核' }).click()
  await page.getByRole('link', { name: sn }).click()
  await expect(panel(page).getByText('包装已经拆开')).toBeVisible()
  await staff.settled()
  await panel(page).getByRole('button', { name: '审核通过' }).click()
  await staff.settled()
  await page.getByRole('dialog').getByRole('button', { name: '审核通过' }).click()
  await panel(page).getByRole('button', { name: '退款' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '退款' }).click()
  await expect(panel(page).getByText('已退款')).toBeVisible()

  // A link leads to it from everywhere, also into a list without it.
  const id = new URL(page.url()).searchParams.get('open')
  await page.goto(`/mall/aftersale?status=4&open=${id}`)
  await expect(panel(page).getByRole('heading', { name: sn })).toBeVisible()
  await staff.settled()
})

test('several cases are decided with one question, which says how many', async ({ page, staff }) => {
  const numbers = await asked(page, 'demo166', 3)
  const [rejected = '', ...approved] = numbers
  await staff.login()
  await page.goto('/mall/aftersale?status=1')
  const dialog = page.getByRole('dialog')
  const decide = async (act: string, question: string) => {
    await page.getByRole('button', { name: act, exact: true }).click()
    await expect(dialog.getByText(question)).toBeVisible()
    await staff.settled()
    await dialog.getByRole('button', { name: act }).click()
    await expect(page.getByText(`已完成：${act}`)).toBeVisible()
  }
  await page.getByLabel(`选择售后 ${rejected}`).check()
  await decide('批量拒绝', '将拒绝 1 条申请，合计 ¥1.00。')
  await expect(page.getByRole('link', { name: rejected })).toHaveCount(0)
  for (const sn of approved) await page.getByLabel(`选择售后 ${sn}`).check()
  await decide('批量通过', '将通过 2 条申请，合计 ¥2.00')
  await page.getByRole('link', { name: '审核通过' }).click()
  for (const sn of approved) await page.getByLabel(`选择售后 ${sn}`).check()
  await decide('退款', '将为 2 条售后退款，合计 ¥2.00')
  for (const sn of approved) await expect(page.getByRole('link', { name: sn })).toHaveCount(0)
})

test('aftersale looks right', both, async ({ page, staff }) => {
  await staff.login()
  await page.goto('/mall/aftersale')
  await staff.looksRight('aftersale')
})
