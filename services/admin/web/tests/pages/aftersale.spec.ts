import type { Page } from '@playwright/test'
import { buyer } from '../buyer'
import { both, expect, test } from '../console'
import { asked } from '../steps'

const panel = (page: Page) => page.getByRole('complementary')
const dialog = (page: Page) => page.getByRole('dialog')

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
  const decide = async (act: string, question: string) => {
    await page.getByRole('button', { name: act, exact: true }).click()
    await expect(dialog(page).getByText(question)).toBeVisible()
    await staff.settled()
    await dialog(page).getByRole('button', { name: act }).click()
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

interface CaseLine {
  id: number
  productId: number
}

interface CaseOf {
  aftersale: { id: number; aftersaleSn: string }
  orderGoods: CaseLine[]
}

/** Opens the case of a line of a new order from the list; more is what is asked for. */
async function opened(page: Page, name: string, more: (line: CaseLine) => object) {
  const shopper = await buyer(page.request, name)
  const { id: orderId } = await shopper.received()
  const detail = () => shopper.wx<CaseOf>(`/wx/aftersale/detail?orderId=${orderId}`)
  const [line] = (await detail()).orderGoods
  if (!line) throw new Error('the order has no line')
  const request = { orderId, reason: '太小', pictures: [], comment: '', ...more(line) }
  await shopper.wx('/wx/aftersale/submit', request)
  const { aftersale } = await detail()
  await page.goto('/mall/aftersale?status=1')
  await page.getByRole('link', { name: aftersale.aftersaleSn }).click()
  const act = async (name: string) => {
    await panel(page).getByRole('button', { name }).click()
    await dialog(page).getByRole('button', { name }).click()
  }
  return { shopper, case: aftersale, act }
}

test('a line comes back by its parcel, and is refunded', async ({ page, staff }) => {
  await staff.login()
  const one = await opened(page, 'demo176', ({ id }) => ({ type: 2, lines: [{ id, number: 1 }] }))
  await panel(page).getByRole('button', { name: '审核通过' }).click()
  await dialog(page).getByLabel('处理说明').fill('请寄到人民路 1 号')
  await staff.settled()
  await dialog(page).getByRole('button', { name: '审核通过' }).click()
  await expect(panel(page).getByText('请寄到人民路 1 号')).toBeVisible()

  const parcel = { id: one.case.id, shipChannel: 'ZTO', shipSn: '75300000176' }
  await one.shopper.wx('/wx/aftersale/parcel', parcel)
  await page.goto(`/mall/aftersale?status=2&open=${one.case.id}`)
  await expect(panel(page).getByText('75300000176')).toBeVisible()
  await staff.looksRight('aftersale-parcel')
  await page.goto(`/mall/aftersale?open=${one.case.id}`)
  await one.act('确认收到退货')
  await expect(panel(page).getByText('收到时间')).toBeVisible()
  await expect(panel(page).getByRole('button', { name: '确认收到退货' })).toHaveCount(0)
  await one.act('退款')
  await expect(panel(page).getByText('已退款')).toBeVisible()
})

test('a line is exchanged for another size', async ({ page, staff }) => {
  await staff.login()
  const one = await opened(page, 'demo177', (line) => ({
    type: 3,
    lines: [{ id: line.id, number: 1, productId: line.productId + 1 }],
  }))
  await expect(panel(page).getByText('换成 L')).toBeVisible()
  await one.act('审核通过')
  await panel(page).getByRole('button', { name: '换货发货' }).click()
  await dialog(page).getByLabel('快递单号').fill('75300000177')
  await staff.settled()
  await dialog(page).getByRole('button', { name: '换货发货' }).click()
  await expect(panel(page).getByText('75300000177')).toBeVisible()
  await expect(panel(page).getByText('已换货')).toBeVisible()
  await staff.looksRight('aftersale-exchanged')
})

test('aftersale looks right', both, async ({ page, staff }) => {
  await staff.login()
  await page.goto('/mall/aftersale')
  await staff.looksRight('aftersale')
})
