import type { Page } from '@playwright/test'
import { expect, test } from '../console'
import { input, panel } from '../form'
import { ask, newName, newOperator, tokenOf } from '../operators'

// What is edited stays what it was but for what was changed, and what is chosen is what was meant.

const owner = (page: Page) => tokenOf(page.request, 'super')

/** New goods that are not on sale, by id and name. */
async function newGoods(page: Page): Promise<{ id: number; name: string }> {
  const name = newName('壶')
  const { list } = await ask<{ list: { url: string }[] }>(page.request, await owner(page), '/admin/ad/list?limit=1')
  const goods = { name, categoryId: 12, gallery: [list[0]?.url], isOnSale: false, isHot: true, detail: '<p>原文</p>' }
  const { id } = await ask<{ id: number }>(page.request, await owner(page), '/admin/goods/create', {
    goods: { ...goods, goodsSn: newName('SN') },
    specifications: [{ specification: '规格', value: '标准' }],
    products: [{ specifications: ['标准'], price: 9.5, number: 3, url: '' }],
    attributes: [],
  })
  return { id, name }
}

test('goods are edited without what the form does not show', async ({ page, staff }) => {
  const { id, name } = await newGoods(page)
  type Detail = { goods: Record<string, unknown> }
  const read = async () => ask<Detail>(page.request, await owner(page), `/admin/goods/detail?id=${id}`)
  const before = await read()
  await staff.login()
  await page.goto(`/goods/goods?open=${id}`)
  await panel(page).getByRole('button', { name: '编辑' }).click()
  await expect(input(page, 'aside', 'name')).toHaveValue(name)
  await expect(input(page, 'aside', 'categoryId')).not.toHaveValue('')
  for (const absent of ['货品', '商品详情', '更新时间']) await expect(panel(page).getByText(absent)).toHaveCount(0)
  await staff.settled()

  // One change after the other: each is made from what the service has.
  const changes = [
    { label: '简介', text: '一句话', part: { brief: '一句话' } },
    { label: '单位', text: '只', part: { brief: '一句话', unit: '只' } },
  ]
  for (const { label, text, part } of changes) {
    await panel(page).getByLabel(label).fill(text)
    await panel(page).getByRole('button', { name: '保存' }).click()
    await expect(panel(page).getByText(text, { exact: true })).toBeVisible()
    const now = await read()
    expect(now).toEqual({ ...before, goods: { ...before.goods, ...part, updateTime: now.goods.updateTime } })
    await panel(page).getByRole('button', { name: '编辑' }).click()
  }

  // A number cannot be emptied, and a text in a look-up is no choice: nothing is sent until both are valid.
  const save = panel(page).getByRole('button', { name: '保存' })
  const sent: unknown[] = []
  page.on('request', (request) => request.url().endsWith('/update') && sent.push(request.postDataJSON()))
  const category = input(page, 'aside', 'categoryId')
  await panel(page).getByLabel('排序').fill('')
  await category.fill('没有这样的分类')
  await category.press('Tab')
  await save.click()
  await expect(panel(page).getByText('排序不能清空，请填写新的值')).toBeVisible()
  await expect(panel(page).getByText('分类：请从查找结果中选择一项')).toBeVisible()
  await panel(page).getByLabel('排序').fill('100')
  await panel(page).getByRole('button', { name: '清除分类' }).click()
  expect(sent).toEqual([])
  await save.click()
  await expect(save).toHaveCount(0)
  expect(sent).toMatchObject([{ goods: { categoryId: 0 } }])
  expect((await read()).goods.categoryId).toBe(0)
})

test('a look-up takes what is found for its text, and nothing else', async ({ page, staff }) => {
  const { id, name } = await newGoods(page)
  await newGoods(page) // newer, so that a list without words begins with it
  await page.route('**/admin/goods/list?*', async (route) => {
    await new Promise((done) => setTimeout(done, 500))
    await route.continue()
  })
  await staff.login()
  await page.goto('/promotion/groupon')
  const field = input(page, '.filters', 'goodsId')
  const options = page.getByRole('search').getByRole('option')
  await field.click()
  await expect(options.nth(1)).toBeVisible()
  await field.press('Enter') // nothing was looked up
  await expect(field).toHaveAttribute('aria-expanded', 'false')
  await expect(page).not.toHaveURL(/goodsId=/)

  // Enter waits for the answer to what is typed.
  await field.click()
  await expect(options.nth(1)).toBeVisible()
  await field.pressSequentially(name)
  await field.press('Enter')
  await expect(page).toHaveURL(new RegExp(`goodsId=${id}$`))
  await expect(field).toHaveValue(name)
  await field.click()
  await expect(options.nth(1)).toBeVisible()
  await field.press('Enter') // nothing was looked up
  await expect(field).toHaveAttribute('aria-expanded', 'false')
  await expect(page).toHaveURL(new RegExp(`goodsId=${id}$`))

  // What is typed and not chosen changes nothing, and that is said.
  await field.fill('没有这样的商品')
  await field.press('Enter')
  await expect(options.filter({ hasText: '没有找到' })).toBeVisible()
  await field.press('Tab')
  await expect(page.getByText('没有为“没有这样的商品”选中任何一项')).toBeVisible()
  await expect(field).toHaveValue(name)
  await expect(page).toHaveURL(new RegExp(`goodsId=${id}$`))
  await field.fill('')
  await field.press('Enter')
  await expect(page).not.toHaveURL(/goodsId=/)
})

test('a look-up that is left before its name is read keeps what it has', async ({ page, staff }) => {
  let answer = (): void => undefined
  const held = new Promise<void>((done) => (answer = done))
  await page.route('**/admin/category/read?*', async (route) => {
    await held
    await route.continue()
  })
  await staff.login()
  await page.goto('/goods/goods?categoryId=12', { waitUntil: 'load' })
  const field = input(page, '.filters', 'categoryId')
  await field.focus()
  await field.press('Tab')
  answer()
  await expect(field).toHaveValue('杯壶')
  await expect(page).toHaveURL(/categoryId=12$/)
})

test('a look-up finds every level of the categories', async ({ page, staff }) => {
  await staff.login()
  await page.goto('/mall/category')
  await staff.settled()
  await page.goto('/goods/goods')
  const field = input(page, '.filters', 'categoryId')
  await field.fill('杯壶')
  await expect(page.getByRole('option', { name: '餐厨 / 杯壶' })).toBeVisible()
  await field.press('Enter')
  await expect(page).toHaveURL(/categoryId=\d+/)
  await expect(field).toHaveValue('杯壶')
  await page.reload()
  await expect(field).toHaveValue('杯壶')
})

/** Filters that exclude every record of the lists whose records nothing else reads. */
const excluding: Readonly<Record<string, string>> = {
  'user/address': 'userId=1000000',
  'user/collect': 'userId=1000000',
  'user/footprint': 'userId=1000000',
  'user/history': 'userId=1000000',
  'user/feedback': 'userId=1000000',
  'goods/comment': 'userId=1000000',
  'promotion/groupon': 'goodsId=1000000',
  'sys/log': 'name=unknown',
}

test('a link opens a record that is not on the page of its list', async ({ page, staff }) => {
  staff.mayFail('/admin/user/detail') // the filter names a shopper who does not exist
  staff.mayFail('/admin/goods/detail')
  await staff.login()
  for (const [area, none] of Object.entries(excluding)) {
    const path = `/admin/${area.split('/')[1]}/list?limit=1`
    const { list } = await ask<{ list: { id: number }[] }>(page.request, await owner(page), path)
    const id = list[0]?.id ?? 0
    await page.goto(`/${area}?${none}&open=${id}`)
    await expect(panel(page).locator('dd').first(), area).toHaveText(String(id))
    await expect(page.getByText('没有符合条件的内容'), area).toBeVisible()
    for (const nothing of ['987654321', `${id})`]) {
      await page.goto(`/${area}?open=${nothing}`)
      await expect(panel(page).getByText('没有这条内容'), area).toBeVisible()
    }
    await staff.quiet()
  }
})

test('a clash is merged without the permission to read a record', async ({ page, staff }) => {
  const name = newName('幅')
  const { list } = await ask<{ list: { url: string }[] }>(page.request, await owner(page), '/admin/ad/list?limit=1')
  const banner = { name, content: '原来', url: list[0]?.url, enabled: false }
  const { id } = await ask<{ id: number }>(page.request, await owner(page), '/admin/ad/create', banner)
  staff.mayFail('504: ')
  await staff.login(await newOperator(page.request, 'admin:ad:list', 'admin:ad:update'))
  await page.goto(`/promotion/ad?name=${name}&open=${id}&edit=1`)
  await panel(page).getByLabel('内容').fill('我的')
  await ask(page.request, await owner(page), '/admin/ad/update', { id, link: 'https://shop.test/theirs' })
  await panel(page).getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('已保存')).toBeVisible()
  const { list: now } = await ask<{ list: unknown[] }>(page.request, await owner(page), `/admin/ad/list?name=${name}`)
  expect(now).toMatchObject([{ content: '我的', link: 'https://shop.test/theirs' }])
})

test('what is switched in the list is on the open record as well', async ({ page, staff }) => {
  const word = newName('词')
  const { id } = await ask<{ id: number }>(page.request, await owner(page), '/admin/keyword/create', { keyword: word })
  await staff.login()
  await page.goto(`/mall/keyword?keyword=${word}&open=${id}`)
  await expect(panel(page).getByText(word, { exact: true })).toHaveCount(2)
  await page.getByRole('switch', { name: `${word}：热门标记` }).press('Space')
  await expect(page.getByText('已更新')).toBeVisible()
  await panel(page).getByRole('button', { name: '编辑' }).click()
  await expect(panel(page).getByRole('switch', { name: '热门标记' })).toBeChecked()
  await panel(page).getByLabel('排序').fill('9')
  await panel(page).getByRole('button', { name: '保存' }).click() // with the version of the switch
  await expect(page.getByText('已保存')).toBeVisible()
})

test('a missing permission is named in place of the record', async ({ page, staff }) => {
  await staff.login(await newOperator(page.request, 'admin:goods:create'))
  await page.goto('/goods/goods?open=1')
  await expect(panel(page).getByText('admin:goods:read')).toBeVisible()
  await page.goto('/goods/goods?open=new')
  await expect(panel(page).getByLabel('商品编号')).toBeVisible()
})
