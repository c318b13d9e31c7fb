import { readFile } from 'node:fs/promises'
import { buyer } from '../buyer'
import { expect, test } from '../console'
import { newOperator } from '../operators'
import { audited, panel } from '../steps'

// The accountant's day: what came in, what goes back, and whether the books agree.

const day = { tag: ['@areas', '@wide'] }

test(
  'orders are exported and added up, money goes back, cases and books are looked at',
  day,
  async ({ page, staff, browser }) => {
    const shopper = await buyer(page.request, 'demo174')
    const [wanted] = [await shopper.paid(), await shopper.paid()]
    await shopper.wx('/wx/order/refund', { orderId: wanted.id })
    const verbs = ['order:list', 'order:read', 'order:export', 'order:refund', 'stat:order', 'books:list', 'job:list']
    const who = await newOperator(page.request, ...verbs.map((verb) => `admin:${verb}`))
    await staff.login(who)

    // The file has a line for each piece of goods; what the whole order came to stands in the first of its lines.
    await page.goto('/mall/order?mobile=13900000174&limit=100')
    await staff.quiet()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: '导出' }).click()
    const [heading = '', ...lines] = (await readFile(await (await download).path(), 'utf8')).trim().split(/\r?\n/)
    const at = heading.split(',').indexOf('actualPrice')
    const paid = lines.map((line) => Number(line.split(',')[at]))
    const shown = await page
      .locator('tbody tr')
      .getByText(/^¥[\d,]+\.\d\d$/)
      .allTextContents()
    const total = (all: number[]) => all.reduce((sum, each) => sum + Math.round(each * 100), 0)
    expect(shown.length).toBeGreaterThanOrEqual(2)
    expect(total(paid)).toBe(total(shown.map((text) => Number(text.replace(/[¥,]/g, '')))))
    await page.goto('/stat/order')
    await expect(page.locator('.sum td').first()).toHaveText(/^\d+$/)

    await page.goto('/mall/order?orderStatusArray=202')
    await page.getByRole('link', { name: wanted.sn }).click()
    await panel(page).getByRole('button', { name: '订单退款' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '订单退款' }).click()
    await expect(panel(page).getByText('已退款').first()).toBeVisible()
    await expect.poll(async () => (await shopper.order(wanted.id)).orderStatus).toBe(203)

    // What waits for a person: each case says what to do, and leads to its order.
    await page.goto('/sys/books')
    await expect(page.getByRole('button', { name: '立即核对' })).toHaveCount(0)
    await staff.settled()
    await page.getByRole('link', { name: '待处理款项' }).click()
    const first = page.getByRole('main').getByRole('listitem').filter({ hasText: '给订单退款' }).first()
    await staff.settled()
    await first.getByRole('link', { name: /^订单/ }).click()
    await panel(page).getByRole('button', { name: '订单退款' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '订单退款' }).click()
    await expect(panel(page).getByText('已退款').first()).toBeVisible()
    await audited(page, browser, who, [
      ['退款', 'Refund'],
      ['导出', 'Export'],
    ])
  },
)
