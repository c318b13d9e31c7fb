import { both, expect, logIn, refusals, test } from '../console'
import { panel } from '../form'
import { ask, newName, tokenOf } from '../operators'

test('a keyword is added, changed, found and deleted', both, async ({ page, staff }) => {
  const word = newName('词')
  await staff.login()
  await page.goto('/mall/keyword')
  await page.getByRole('button', { name: '添加' }).click()
  await expect(page).toHaveURL(/open=new/)

  // What is wrong stands beside its field, in the words of the service, before anything is sent.
  await panel(page).getByLabel('排序').fill('1000000')
  await panel(page).getByRole('button', { name: '添加' }).click()
  await expect(panel(page).getByText('缺少关键字')).toBeVisible()
  await expect(panel(page).getByText('排序应在 -999999 到 999999 之间')).toBeVisible()
  await expect(panel(page).getByLabel('关键字')).toBeFocused()
  await panel(page).getByLabel('关键字').fill('字'.repeat(128))
  await panel(page).getByRole('button', { name: '添加' }).click()
  await expect(panel(page).getByText('关键字不能超过 127 个字')).toBeVisible()

  // What was typed is there after a reload.
  await panel(page).getByLabel('关键字').fill(word)
  await page.reload()
  await expect(panel(page).getByText('已恢复尚未保存的内容')).toBeVisible()
  await panel(page).getByLabel('排序').fill('7')
  await panel(page).getByRole('button', { name: '添加' }).click()
  await expect(page.getByText('已添加')).toBeVisible()
  await expect(page).not.toHaveURL(/open=/)

  // The filter is in the address; the record opens beside the list, and the way back leads to its row.
  await page.getByRole('search').getByLabel('关键字').fill(word)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/keyword=/)
  await expect(page.getByText('共 1 条', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: word }).click()
  await expect(panel(page).getByRole('heading', { name: word })).toBeFocused()
  await page.goBack()
  await expect(page.getByRole('link', { name: word })).toBeFocused()
  await page.goForward()

  await panel(page).getByRole('button', { name: '编辑' }).click()
  await panel(page).getByLabel('排序').fill('8')
  const sent = page.waitForRequest('**/admin/keyword/update')
  await panel(page).getByRole('button', { name: '保存' }).click()
  expect(Object.keys((await sent).postDataJSON() as object)).not.toContain('keyword')
  await expect(page.getByText('已保存')).toBeVisible()
  await expect(panel(page).getByText('8', { exact: true })).toBeVisible()

  await panel(page).getByRole('button', { name: '删除' }).click()
  const dialog = page.getByRole('dialog', { name: `删除“${word}”？` })
  await staff.settled()
  await dialog.getByRole('button', { name: '删除' }).click()
  await expect(page.getByText('已删除')).toBeVisible()
  await expect(page.getByText('没有符合条件的内容')).toBeVisible()
  await staff.settled()
})

test('a member is switched in the list', async ({ page, staff }) => {
  const word = newName('热')
  await ask(page.request, await tokenOf(page.request, 'super'), '/admin/keyword/create', { keyword: word })
  await staff.login()
  await page.goto(`/mall/keyword?keyword=${word}`)
  const hot = page.getByRole('switch', { name: `${word}：热门标记` })
  await hot.press('Space')
  await expect(page.getByText('已更新')).toBeVisible()
  await page.reload()
  await expect(hot).toBeChecked()
})

test('pages, sizes and sorts are in the address', async ({ page, staff }) => {
  await staff.login()
  await page.goto('/user/user')
  await page.getByRole('button', { name: '第 2 页' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect(page.getByText(/第 21–40 条/)).toBeVisible()
  await page.goBack()
  await expect(page.getByText(/第 1–20 条/)).toBeVisible()
  await page.getByLabel('每页条数').selectOption('50')
  await expect(page.getByText(/第 1–50 条/)).toBeVisible()
  await page.getByRole('button', { name: '创建时间' }).click()
  await expect(page).toHaveURL(/sort=add_time/)
  await expect(page.getByRole('columnheader', { name: '创建时间' })).toHaveAttribute('aria-sort', 'descending')
})

test('Enter that ends a Chinese word sends nothing', async ({ page, staff }) => {
  await staff.login()
  await page.goto('/mall/keyword?open=new')
  const field = panel(page).getByLabel('关键字')
  await field.fill('词')
  const prevented = await field.evaluate((input) => {
    const event = new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true })
    return !input.dispatchEvent(event)
  })
  expect(prevented).toBe(true)
})

test('two operators change one topic', async ({ page, staff, browser, baseURL }) => {
  const owner = await tokenOf(page.request, 'super')
  const title = newName('专题')
  const topic = { title, subtitle: '原来', content: '<p>内容</p>', price: '1.00', picUrl: '', sortOrder: 5 }
  const { id } = await ask<{ id: number }>(page.request, owner, '/admin/topic/create', topic)
  const path = `/promotion/topic?title=${title}&open=${id}&edit=1`
  staff.mayFail('504: ')
  await staff.login()
  await page.goto(path)
  await panel(page).getByLabel('副标题').fill('我的')
  await panel(page).getByLabel('阅读量').fill('9')

  const second = await browser.newPage({ baseURL, locale: 'zh-CN' })
  const faults: string[] = []
  refusals(second, faults)
  await logIn(second, 'super')
  await second.goto(path)
  await panel(second).getByLabel('副标题').fill('对方的')
  await panel(second).getByLabel('排序').fill('77')
  await panel(second).getByRole('button', { name: '保存' }).click()
  await expect(second.getByText('已保存')).toBeVisible()
  await second.close()
  expect(faults).toEqual([])

  await panel(page).getByRole('button', { name: '保存' }).click()
  const dialog = page.getByRole('dialog', { name: '有人刚刚修改了它' })
  await expect(dialog.getByRole('radio')).toHaveCount(2) // only what differs is asked
  await staff.settled()
  await dialog.getByRole('radio', { name: /^对方的/ }).check()
  await dialog.getByRole('button', { name: '按选择保存' }).click()
  await expect(page.getByText('已保存')).toBeVisible()
  const stored = await ask<{ topic: Record<string, unknown> }>(page.request, owner, `/admin/topic/read?id=${id}`)
  expect(stored.topic).toMatchObject({ subtitle: '对方的', sortOrder: 77, readCount: '9' })
})
