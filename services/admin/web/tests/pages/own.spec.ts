import type { Page, Request } from '@playwright/test'
import { both, type Console, expect, test } from '../console'
import { ask, newName, newOperator, tokenOf } from '../operators'

// The screens that are no list of records.

/** Does what has the unread notices counted anew at once, and checks that the page shows that number. Which it is no story knows: a
 * notice goes to every operator, also that of another story. */
async function recounted(page: Page, staff: Console, act: () => Promise<void>): Promise<void> {
  const asked: Request[] = []
  const note = (request: Request) => void (request.url().endsWith('/admin/profile/nnotice') && asked.push(request))
  page.on('request', note)
  await act()
  await staff.quiet()
  page.off('request', note)
  expect(asked, 'the page counts at once').not.toHaveLength(0)
  const { data } = (await (await asked.at(-1)?.response())?.json()) as { data: number }
  await expect(page.getByRole('button', { name: `我的通知，${data} 条未读`, includeHidden: true })).toBeAttached()
}

test('settings are changed, checked and refused', async ({ page, staff }) => {
  staff.mayFail('402: ')
  const owner = await tokenOf(page.request, 'super')
  await ask(page.request, owner, '/admin/config/wx', { litemall_wx_index_topic: '4', litemall_wx_share: 'false' })
  await staff.login()
  await page.goto('/config/wx')
  const topics = page.getByLabel('首页专题数量')
  await expect(topics).toHaveValue('4')
  await topics.fill('101')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('首页专题数量应在 0 到 100 之间')).toBeVisible()
  await topics.fill('5')
  await page.getByRole('switch', { name: '商品分享海报' }).press('Space')
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/config/wx'))
  await page.getByRole('button', { name: '保存' }).click()
  expect((await sent).postDataJSON()).toEqual({ litemall_wx_index_topic: '5', litemall_wx_share: 'true' })
  await expect(page.getByText('已保存')).toBeVisible()
  await page.reload()
  await expect(topics).toHaveValue('5')
  await ask(page.request, owner, '/admin/config/wx', { litemall_wx_index_topic: '4', litemall_wx_share: 'false' })

  // What the page does not know the service says, with the number of the request.
  await page.goto('/config/mall')
  await page.getByLabel('经度').fill('999')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText(/经度/).nth(1)).toBeVisible()
  await staff.settled()
})

test('who may not change settings sees them', async ({ page, staff }) => {
  const name = await newOperator(page.request, 'admin:config:express-list')
  await staff.login(name)
  await page.goto('/config/express')
  await expect(page.getByLabel('满额包邮')).toBeDisabled()
  await expect(page.getByText('修改需要权限 admin:config:express-update')).toBeVisible()
  await expect(page.getByRole('button', { name: '保存' })).toHaveCount(0)
  await staff.settled()
})

test('statistics are narrowed to a range that is in the address', async ({ page, staff }) => {
  await staff.login()
  await page.goto('/stat/order')
  await page.getByRole('button', { name: '近 7 天' }).click()
  await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d/)
  const days = page.getByRole('rowheader', { name: /^\d{4}-\d\d-\d\d$/ })
  expect(await days.count()).toBeLessThanOrEqual(7)
  const numbers = page.locator('tbody tr:not(.sum) td:nth-child(2)')
  const sum = (await numbers.allTextContents()).reduce((total, text) => total + Number(text), 0)
  await expect(page.locator('.sum td').first()).toHaveText(String(sum))
  await page.goto('/stat/order?from=2000-01-01&to=2000-01-02')
  await expect(page.getByText('这段时间没有数据')).toBeVisible()
})

test('a comment is replied to once', async ({ page, staff }) => {
  await staff.login()
  const owner = await tokenOf(page.request, 'super')
  const { list } = await ask<{ list: { id: number; adminContent: string }[] }>(
    page.request,
    owner,
    '/admin/comment/list?limit=100',
  )
  const open = list.find((each) => each.adminContent === '')
  await page.goto(`/goods/comment?limit=100&open=${open?.id}`)
  const panel = page.getByRole('complementary')
  await panel.getByRole('button', { name: '回复' }).click()
  await expect(panel.getByText(/^缺少/)).toBeVisible()
  await panel.getByRole('textbox').fill('谢谢您的评价')
  await panel.getByRole('button', { name: '回复' }).click()
  await expect(page.getByText('已回复')).toBeVisible()
  await expect(panel.getByText('谢谢您的评价')).toBeVisible()
  await expect(panel.getByRole('textbox')).toHaveCount(0)
  await staff.settled()
})

test('a notice reaches its reader, and its writer sees that it was read', both, async ({ page, staff }) => {
  const reader = await newOperator(page.request, 'admin:notice:list', 'admin:notice:read', 'admin:notice:create')
  const token = await tokenOf(page.request, reader)
  const title = newName('盘点')
  const written = { title, content: '<p>周五<strong>盘点</strong></p>' }
  const { id } = await ask<{ id: number }>(page.request, token, '/admin/notice/create', written)
  await staff.login(reader)
  await page.goto(`/sys/notice?title=${title}&open=${id}`)
  const panel = page.getByRole('complementary')
  await expect(panel.getByText(/人中 0 人已读/)).toBeVisible()

  await page.getByRole('button', { name: /^我的通知，[1-9]/ }).click()
  const dialog = page.getByRole('dialog')
  const notice = dialog.getByRole('button', { name: new RegExp(title) })
  await expect(notice).toBeVisible()
  await staff.settled()
  await recounted(page, staff, () => notice.click())
  await expect(dialog.getByRole('heading', { name: title })).toBeVisible()
  await expect(dialog.locator('strong')).toHaveText('盘点')
  await staff.settled()
  await dialog.getByRole('button', { name: '返回通知列表' }).click()
  await expect(notice).toBeVisible()
  await dialog.getByRole('button', { name: '未读', exact: true }).click()
  await staff.quiet()
  await expect(notice).toHaveCount(0)
  await dialog.getByRole('button', { name: '关闭' }).click()
  await page.reload()
  await expect(panel.getByText(/人中 1 人已读/)).toBeVisible()
})

test('notices are marked and dropped together', async ({ page, staff }) => {
  const owner = await tokenOf(page.request, 'super')
  const reader = await newOperator(page.request, 'admin:ad:list')
  for (const n of [1, 2, 3]) {
    await ask(page.request, owner, '/admin/notice/create', { title: `${reader} ${n}`, content: '' })
  }
  await staff.login(reader)
  await page.goto('/')
  await page.getByRole('button', { name: /^我的通知，[1-9]/ }).click()
  const dialog = page.getByRole('dialog')
  const box = (n: number) => dialog.getByRole('checkbox', { name: `选择${reader} ${n}` })
  await box(1).check()
  await recounted(page, staff, () => dialog.getByRole('button', { name: '标为已读' }).click())
  await expect(box(1)).not.toBeChecked()
  await box(2).check()
  await box(3).check()
  await recounted(page, staff, () => dialog.getByRole('button', { name: '删除' }).click())
  await expect(box(1)).toBeVisible()
  for (const n of [2, 3]) await expect(box(n)).toHaveCount(0)

  // What was marked is read, also as the service has it.
  await dialog.getByRole('button', { name: '未读', exact: true }).click()
  await staff.quiet()
  await expect(box(1)).toHaveCount(0)
})

test('files are uploaded, and one that is too large says so', async ({ page, staff }) => {
  await staff.login()
  await page.goto('/sys/storage')
  await expect(page.getByText(/^共 \d+ 条$/)).toBeVisible()
  const text = { mimeType: 'text/plain', buffer: Buffer.from('text') }
  await page.locator('input[type=file]').setInputFiles([
    { name: 'one.txt', ...text },
    { name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.alloc(21_000_000, 'a') },
    { name: 'two.txt', ...text },
  ])
  const files = page.getByRole('region', { name: '上传的文件' })
  await expect(files.getByText('已上传')).toHaveCount(2)
  await expect(files.getByRole('alert')).toContainText('文件太大，不能超过 20 MiB')
  await expect(page.getByRole('cell', { name: 'two.txt' }).first()).toBeVisible()
  await staff.settled()
})

test('a county is found, and reached by keys', both, async ({ page, staff }) => {
  await staff.login()
  await page.goto('/region')
  const tree = page.getByRole('tree', { name: '行政区域' })
  await expect(tree.getByRole('treeitem').first()).toBeVisible()
  await expect(tree.getByRole('treeitem')).toHaveCount(await tree.locator('[aria-level="1"]').count())
  const first = tree.getByRole('treeitem').first()
  await first.focus()
  await page.keyboard.press('ArrowRight')
  await expect(first).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('ArrowRight')
  await expect(tree.locator('[aria-level="2"]').first()).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(first).toBeFocused()
  await page.getByLabel('查找名称或编码').fill('海淀')
  await expect(page.getByText('找到 1 个')).toBeVisible()
  await expect(tree.getByRole('treeitem')).toHaveCount(3)
  await staff.settled()
})
