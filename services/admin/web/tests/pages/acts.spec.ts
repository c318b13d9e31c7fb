import { readFile } from 'node:fs/promises'
import { both, expect, test } from '../console'
import { choose } from '../form'
import { ask, newName, newOperator, tokenOf } from '../operators'

/** The smallest picture. */
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('what is chosen over two pages is deleted at once', both, async ({ page, staff }) => {
  const owner = await tokenOf(page.request, 'super')
  const title = newName('专题')
  for (let n = 1; n <= 22; n++) {
    const topic = { title: `${title} ${n}`, content: '<p>内容</p>', price: 1, goods: [] }
    await ask(page.request, owner, '/admin/topic/create', topic)
  }
  await staff.login()
  await page.goto(`/promotion/topic?title=${title}`)
  await page.getByRole('checkbox', { name: '选择本页全部' }).check()
  await expect(page.getByText('已选 20 条')).toBeVisible()
  await page.getByRole('button', { name: '第 2 页' }).click()
  await page.getByRole('checkbox', { name: new RegExp(`${title} 2$`) }).check()
  await expect(page.getByText('已选 21 条')).toBeVisible()
  await page.getByRole('button', { name: '第 1 页' }).click()
  await page.getByRole('checkbox', { name: new RegExp(`${title} 22$`) }).uncheck()
  await staff.settled()
  await page.getByRole('button', { name: '批量删除' }).click()
  const dialog = page.getByRole('dialog', { name: '批量删除：20 条' })
  await expect(dialog).toContainText('以及另外 15 条')
  await staff.settled()
  await dialog.getByRole('button', { name: '批量删除' }).click()
  await expect(page.getByText('共 2 条', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: new RegExp(`^${title} (1|22)$`) })).toHaveCount(2)
})

test('a list is exported as it is filtered, with the token in no address', async ({ page, staff }) => {
  await staff.login()
  await page.goto('/user/user?username=demo19')
  await expect(page.getByText(/^共 \d+ 条$/)).toBeVisible()
  const asked = page.waitForRequest('**/admin/user/export?*')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: '导出' }).click()
  expect(new URL((await asked).url()).search).toBe('?username=demo19')
  const file = await saved
  expect(file.suggestedFilename()).toMatch(/\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n').slice(1)
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.filter((line) => !line.includes('demo19'))).toEqual([])
})

test('a record without a name of its own opens on its details', async ({ page, staff }) => {
  await staff.login()
  await page.goto('/sys/log')
  await page
    .getByRole('link', { name: /的详情$/ })
    .first()
    .click()
  await expect(page.getByRole('complementary').getByRole('heading')).toBeFocused()
})

test('roles are chosen by name', async ({ page, staff }) => {
  const name = await newOperator(page.request, 'admin:ad:list')
  await staff.login()
  await page.goto(`/sys/admin?username=${name}`)
  await expect(page.getByRole('cell', { name, exact: true })).toHaveCount(2) // the role is called as its operator
  await page.getByRole('link', { name }).click()
  await page.getByRole('button', { name: '编辑' }).click()
  await expect(page.getByLabel('角色')).toHaveCount(1)
  await choose(page.getByLabel('角色'), '订单客服')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('已保存')).toBeVisible()
  await expect(page.getByRole('complementary').getByText(/订单客服/)).toBeVisible()
})

test('what is no picture is refused in its form', async ({ page, staff }) => {
  await staff.login()
  await page.goto('/promotion/ad?open=new')
  const input = page.locator('input[type=file]')
  await input.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') })
  const form = page.getByRole('complementary')
  await expect(form.getByRole('alert')).toHaveText('这个文件不是图片，或者浏览器无法打开')
  await input.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: dot })
  await expect(form.getByRole('alert')).toHaveCount(0)
  await expect(form.locator('img')).toHaveAttribute('src', /\.png$/)
  await staff.settled()
})

test('a switch that is refused says why, with the number of the request', async ({ page, staff }) => {
  staff.mayFail('504: ')
  const owner = await tokenOf(page.request, 'super')
  const keyword = newName('词')
  const { id } = await ask<{ id: number }>(page.request, owner, '/admin/keyword/create', { keyword })
  await staff.login()
  await page.goto(`/mall/keyword?keyword=${keyword}`)
  const hot = page.getByRole('switch', { name: `${keyword}：热门标记` })
  await expect(hot).toHaveCount(1)
  await ask(page.request, owner, '/admin/keyword/update', { id, sortOrder: 3 })
  await hot.press('Space')
  await expect(page.getByRole('status').getByText(/请求编号/)).toBeVisible()
  await expect(hot).not.toBeChecked()
  await staff.settled()
})
