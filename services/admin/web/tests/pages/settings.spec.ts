import { readFile } from 'node:fs/promises'
import { expect, test } from '../console'
import { newOperator } from '../operators'

// What settings are used for, messages, and statistics.

const areas = { tag: '@areas' }

test('settings say what they are used for', areas, async ({ page, staff }) => {
  await staff.login()
  await page.goto('/config/express')
  const use = page.getByRole('region', { name: '最近 30 天' })
  await expect(use.getByText(/^\d+ 个订单中有 \d+ 个没有达到包邮金额/)).toBeVisible()
  await staff.settled()
  for (const [path, text] of [
    ['/config/order', '个订单因未付款而自动取消'],
    ['/config/wx', '个。'],
  ] as const) {
    await page.goto(path)
    await expect(use.getByText(text).first()).toBeVisible()
    await staff.settled()
  }
  await page.goto('/config/mall')
  await expect(page.getByText('商城的名称和联系方式')).toBeVisible()
  await staff.settled()
})

test('ways of delivery are picked and put in order', areas, async ({ page, staff }) => {
  await staff.login()
  await page.goto('/config/express')
  const ways = page.getByRole('group', { name: '配送方式' })
  await page.getByLabel('取货地址').fill('人民路 1 号')
  await page.getByLabel('取货时间').fill('9:00–18:00')
  await ways.getByRole('checkbox', { name: '到店自取' }).setChecked(true)
  const first = ways.getByRole('listitem').first()
  while (!(await first.textContent())?.includes('到店自取')) {
    await ways.getByRole('button', { name: '“到店自取”上移' }).press('Enter')
  }
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('已保存').first()).toBeVisible()
  await page.reload()
  await expect(first.getByRole('checkbox', { name: '到店自取' })).toBeChecked()
  await ways.getByRole('button', { name: '“快递”上移' }).press('Enter')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('已保存').first()).toBeVisible()
  await staff.settled()
})

test('who may not see the use of settings asks for nothing', areas, async ({ page, staff }) => {
  await staff.login(await newOperator(page.request, 'admin:config:express-list'))
  await page.goto('/config/express')
  await expect(page.getByLabel('满额包邮')).toBeVisible()
  await staff.settled()
  await expect(page.getByRole('region', { name: '最近 30 天' })).toHaveCount(0)
})

test('a test message is sent from here', areas, async ({ page, staff }) => {
  staff.mayFail('402: ')
  await staff.login(await newOperator(page.request, 'admin:message:read', 'admin:message:test'))
  await page.goto('/config/message')
  await expect(page.getByText('已接通')).toHaveCount(2)
  await staff.settled()
  const recipient = page.getByLabel('接收方')
  await page.getByRole('button', { name: '发送测试' }).click()
  await expect(page.getByText(/^缺少/)).toBeVisible()
  await recipient.fill('nobody')
  await page.getByRole('button', { name: '发送测试' }).click()
  await expect(recipient).toHaveAttribute('aria-invalid', 'true')
  await staff.settled()
  await recipient.fill('13900000001')
  await page.getByRole('button', { name: '发送测试' }).click()
  await expect(page.getByText('发送服务已接受')).toBeVisible()
})

test('statistics are drawn and saved, and name the best sellers', areas, async ({ page, staff }) => {
  await staff.login()
  await page.goto('/stat/goods')
  const best = page.getByRole('region', { name: '畅销商品' })
  await expect(best.getByRole('row').nth(1)).toBeVisible()
  await page.getByRole('button', { name: '金额' }).click()
  await expect(page.getByRole('img', { name: /金额/ })).toBeVisible()
  await staff.settled()
  await page.getByRole('button', { name: '近 30 天' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: '导出' }).first().click()
  const file = await saved
  expect(file.suggestedFilename()).toBe('stat-goods.csv')
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect(lines[0]).toContain('日期')
  expect(lines.length).toBeGreaterThan(1)
  expect(lines.length).toBeLessThanOrEqual(31)

  // The best sellers are those of the days that are chosen, and so is their file.
  const ranked = page.waitForEvent('download')
  await best.getByRole('button', { name: '导出' }).press('Enter')
  const ranking = (await readFile(await (await ranked).path(), 'utf8')).trim().split('\n')
  expect(ranking[0]).toContain('goodsName')
  expect(ranking.length).toBeGreaterThan(1)
  await page.goto('/stat/goods?from=2000-01-01&to=2000-01-02')
  await expect(best).toContainText('还没有内容')
})
