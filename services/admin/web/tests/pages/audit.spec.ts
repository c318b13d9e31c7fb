import { expect, logIn, looks, test } from '../console'
import { ask, newName, newOperator, tokenOf } from '../operators'
import { newOwner } from '../steps'

// Who changed what: the records in the operator's language, by person, thing and time.

const areas = { tag: ['@areas', '@wide'] }

test(
  'what an operator changed is found, before and after, in either language',
  areas,
  async ({ page, staff, browser, baseURL }) => {
    const clerk = await newOperator(page.request, 'admin:brand:create', 'admin:brand:update', 'admin:brand:list')
    const token = await tokenOf(page.request, clerk)
    const first = newName('品牌')
    const body = { name: first, desc: '描述', floorPrice: 1 }
    const { id } = await ask<{ id: number }>(page.request, token, '/admin/brand/create', body)
    await ask(page.request, token, '/admin/brand/update', { id, name: `${first}新`, floorPrice: 12.5 })

    const owner = await newOwner(page)
    await staff.login(owner)
    await page.goto('/sys/audit')
    const chain = page.getByRole('region', { name: '审计链' })
    await expect(chain).toContainText(/已封存到第 \d+ 条|等待封存/)
    await expect(chain).toContainText(/[0-9a-f]{64}/)
    await expect(chain.getByRole('link', { name: '查看账目核对' })).toBeVisible()
    await page.getByLabel('管理员', { exact: true }).fill(clerk)
    await page.getByRole('option', { name: clerk }).click()
    const list = page.getByRole('main').getByRole('listitem')
    await expect(list).toHaveCount(2)
    await expect(list.first()).toContainText(`${clerk}编辑品牌制造商 ${id}`)
    await list.first().getByRole('button', { name: '改动：起价、名称' }).click()
    await expect(page.getByRole('row', { name: '名称' })).toContainText(`${first}${first}新`)
    await expect(page.getByRole('row', { name: '起价' })).toContainText('1.0012.50')
    await staff.settled()

    await page.evaluate(() => localStorage.setItem('shop.language', 'en'))
    await page.reload()
    await expect(list.first()).toContainText(`${clerk}Change a brandBrands ${id}`)
    await expect(list.first()).toContainText('Changed: Floor price, Name')
    await page.evaluate(() => localStorage.removeItem('shop.language'))

    // By the thing alone, and what was new since the last visit, on another device.
    await page.goto(`/sys/audit?target=brand&id=${id}`)
    await expect(list).toHaveCount(2)
    await page.goto('/sys/audit')
    await staff.quiet()
    await ask(page.request, token, '/admin/brand/update', { id, name: first })
    const other = await (await browser.newContext({ baseURL, locale: 'zh-CN' })).newPage()
    await logIn(other, owner)
    await other.goto('/sys/audit?target=brand')
    await other.getByRole('link', { name: /上次查看/ }).click()
    const fresh = other.getByRole('main').getByRole('listitem').filter({ hasText: clerk })
    await expect(fresh.first()).toContainText('改动：名称')
    await fresh
      .first()
      .getByRole('link', { name: `品牌制造商 ${id}` })
      .click()
    await expect(other).toHaveURL(`/mall/brand?open=${id}`)
    await other.context().close()
  },
)

test('older records follow on demand', areas, async ({ page, staff }) => {
  await staff.login()
  await page.goto('/sys/audit')
  const list = page.getByRole('main').getByRole('listitem')
  await expect(list).toHaveCount(20)
  await page.getByRole('button', { name: '显示更早的记录' }).press('Enter')
  await expect.poll(() => list.count()).toBeGreaterThan(20)
  await staff.settled()
})

test('a bulk change of 200 goods is taken back, except for the three edited since', areas, async ({ page, staff }) => {
  test.slow()
  const owner = await tokenOf(page.request, 'super')
  const ids: number[] = []
  const before = newName('桶装水')
  for (let i = 0; i < 200; i++) {
    const body = {
      goods: { name: `${before} ${i}`, goodsSn: `${before}-${i}`, isOnSale: false },
      specifications: [{ specification: '规格', value: '标准' }],
      products: [{ specifications: ['标准'], price: 10, number: 1 }],
      attributes: [],
    }
    await ask(page.request, owner, '/admin/goods/create', body)
  }
  const { list } = await ask<{ list: { id: number }[] }>(
    page.request,
    owner,
    `/admin/goods/list?name=${encodeURIComponent(before)}&limit=200`,
  )
  ids.push(...list.map(({ id }) => id))
  expect(ids).toHaveLength(200)
  await ask(page.request, owner, '/admin/goods/batch', { ids, pricePercent: 5 })
  for (const id of ids.slice(0, 3)) {
    await ask(page.request, owner, '/admin/goods/update', { goods: { id, brief: '后来改的' }, products: [] })
  }

  await staff.login()
  await page.goto(`/sys/audit?target=goods&id=${ids[99]}`)
  const record = page.getByRole('main').getByRole('listitem').first()
  await record.getByRole('button', { name: /^改动：/ }).press('Enter')
  await record.getByRole('button', { name: '撤回' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('撤回 197 条记录的改动，3 条保持不变。')
  await expect(dialog.getByText('之后又有人改过')).toHaveCount(3)
  await staff.settled()
  await dialog.getByRole('button', { name: '撤回' }).click()
  await expect(page.getByText('已撤回 197 条记录的改动')).toBeVisible()
  await expect(record).toContainText('撤回改动')
  const priceOf = async (id: number | undefined) =>
    (await ask<{ goods: { retailPrice: number } }>(page.request, owner, `/admin/goods/detail?id=${id}`)).goods
      .retailPrice
  expect(await priceOf(ids[99])).toBe(10)
  expect(await priceOf(ids[0])).toBe(10.5)
})

test('an import is taken back, and what was deleted returns', areas, async ({ page, staff }) => {
  const person = await newOwner(page)
  const owner = await tokenOf(page.request, person)
  const headers = { 'X-Shop-Admin-Token': owner }
  const name = newName('误导入')
  const exported = await page.request.get('/admin/goods/export?goodsId=1', { headers })
  const heading = (await exported.text()).replace('\uFEFF', '').split(/\r?\n/)[0] ?? ''
  const line = (sn: string) => {
    const cells: Record<string, string> = {
      goodsSn: sn,
      name: sn,
      specifications: '规格=标准',
      price: '5',
      number: '3',
    }
    return heading.split(',').map((column) => cells[column] ?? '')
  }
  const buffer = Buffer.from([heading, line(name), line(`${name}-2`)].join('\n'))
  const file = { name: 'goods.csv', mimeType: 'text/csv', buffer }
  expect(await (await page.request.post('/admin/goods/import', { headers, multipart: { file } })).json()).toMatchObject(
    {
      errno: 0,
    },
  )
  const found = async () => {
    const path = `/admin/goods/list?name=${encodeURIComponent(name)}&limit=10&sort=id&order=asc`
    return (await ask<{ list: { id: number }[] }>(page.request, owner, path)).list.map(({ id }) => id)
  }
  const [first = 0, second = 0] = await found()
  await ask(page.request, owner, '/admin/goods/update', { goods: { id: second, brief: '后来改的' }, products: [] })

  // Other stories change goods at the same time.
  const people = await ask<{ list: { id: number }[] }>(page.request, owner, `/admin/admin/list?username=${person}`)
  await staff.login(person)
  await page.goto(`/sys/audit?target=goods&adminId=${people.list[0]?.id}`)
  const list = page.getByRole('main').getByRole('listitem')
  const dialog = page.getByRole('dialog')
  const takeBack = async (which: number) => {
    const record = list.nth(which)
    await record.getByRole('button', { name: /^改动：/ }).press('Enter')
    await record.getByRole('button', { name: '撤回' }).press('Enter')
    await expect(dialog.getByRole('status')).toBeVisible()
  }
  await takeBack(1)
  await expect(dialog).toContainText('撤回 1 条记录的改动，1 条保持不变。')
  await expect(dialog).toContainText('将被删除')
  await expect(dialog.getByText('之后又有人改过')).toHaveCount(1)
  await staff.settled()
  await dialog.getByRole('button', { name: '撤回' }).click()
  await expect(page.getByText('已撤回 1 条记录的改动')).toBeVisible()
  expect(await found()).toEqual([second])

  await ask(page.request, owner, '/admin/goods/delete', { id: second })
  await page.reload()
  await takeBack(0)
  await expect(dialog).toContainText('连同货品、规格和参数一起恢复')
  await staff.settled()
  await dialog.getByRole('button', { name: '撤回' }).click()
  await expect(page.getByText('已撤回 1 条记录的改动')).toBeVisible()
  expect(await found()).toEqual([second])
  expect(first).toBeLessThan(second)
})

test('audit looks right', looks, async ({ page, staff }) => {
  await staff.login()
  await page.goto('/sys/audit')
  await staff.looksRight('audit')
})
