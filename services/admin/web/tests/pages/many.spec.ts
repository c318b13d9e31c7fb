import { readFile } from 'node:fs/promises'
import { buyer } from '../buyer'
import { expect, test } from '../console'
import { ask, tokenOf } from '../operators'

// A day's orders from one file. Buying them takes longer than a story of everyday tests may.

const shoppers = 20
const ordersEach = 10

test('a file ships 199 of 200 orders, and says of its bad line why', { tag: '@areas' }, async ({ page, staff }) => {
  // One after the other: the service hashes few passwords at once.
  const people: Awaited<ReturnType<typeof buyer>>[] = []
  while (people.length < shoppers) people.push(await buyer(page.request, `demo${101 + people.length}`))
  const bought = await Promise.all(
    people.map(async (shopper) => {
      const orders: { id: number; sn: string }[] = []
      while (orders.length < ordersEach) orders.push(await shopper.paid())
      return orders
    }),
  )
  const orders = bought.flat()

  // Of one number the spreadsheet has lost a digit.
  const bad = 100
  const rows = orders.map(({ id, sn }, index) => [index === bad ? sn.slice(0, -1) : sn, 'ZTO', `LOT${id}`] as const)
  const results = (good: string) =>
    rows.map(([sn, , number], index) => [String(index + 2), sn, number, index === bad ? '没有这个订单' : good])
  const shown = () =>
    page
      .locator('tbody tr')
      .evaluateAll((lines) =>
        lines.map((line) => [0, 1, 4, 5].map((n) => line.querySelectorAll('td')[n]?.textContent?.trim())),
      )

  await staff.login()
  await page.goto('/mall/order?view=ship')
  const text = ['订单编号,快递公司,快递单号', ...rows.map((row) => row.join(','))].join('\r\n')
  const file = { name: 'day.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
  await page.getByLabel('选择 CSV 文件', { exact: true }).last().setInputFiles(file)
  await expect(page.getByText('199 单将发货，1 行有问题')).toBeVisible()
  expect(await shown()).toEqual(results('将发货'))
  await page.getByRole('button', { name: '发货 199 单' }).click()
  await expect(page.getByText('已发货 199 单，1 行没有发货')).toBeVisible({ timeout: 120_000 })
  expect(await shown()).toEqual(results('已发货'))
  await staff.settled()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: '下载没有发货的行' }).click()
  const left = await readFile(await (await download).path(), 'utf8')
  expect(left).toBe(`\uFEFF${[...(rows[bad] ?? []), '没有这个订单'].map((cell) => `"${cell}"`).join(',')}`)

  // The service says the same of every order.
  type Orders = { list: { id: number; orderStatus: number; shipSn: string | null }[] }
  const owner = await tokenOf(page.request, 'super')
  const listed = await ask<Orders>(page.request, owner, '/admin/order/list?limit=500&sort=id&order=desc')
  const stored = new Map(listed.list.map((order) => [order.id, order]))
  expect(orders.map(({ id }) => [stored.get(id)?.orderStatus, stored.get(id)?.shipSn ?? ''])).toEqual(
    orders.map(({ id }, index) => (index === bad ? [201, ''] : [301, `LOT${id}`])),
  )
})
