import { buyer } from '../buyer'
import { expect, test } from '../console'
import { ask, newName, tokenOf } from '../operators'

// What makes a purchase cheaper, made here and used in the shop.

const areas = { tag: '@areas' }

test('a coupon is made here, and spent in the shop', async ({ page, staff }) => {
  const name = newName('新券')
  await staff.login()
  await page.goto('/promotion/coupon?open=new')
  const panel = page.getByRole('complementary')
  await panel.getByLabel('名称').fill(name)
  await panel.getByLabel('优惠金额').fill('3')
  await panel.getByLabel('有效天数').fill('7')
  await expect(panel.getByLabel('开始时间')).toHaveCount(0) // a coupon of days has no dates
  await panel.getByRole('button', { name: '添加', exact: true }).last().click()
  await expect(page.getByText('已添加')).toBeVisible()

  const shopper = await buyer(page.request, 'demo41')
  const { list } = await shopper.wx<{ list: { id: number; name: string }[] }>('/wx/coupon/list?limit=100')
  const coupon = list.find((each) => each.name === name)
  await shopper.wx('/wx/coupon/receive', { couponId: coupon?.id })
  const order = await shopper.unpaid(5, { couponId: coupon?.id })
  expect((await shopper.order(order.id)).couponPrice).toBe(3)

  await page.goto(`/promotion/coupon?name=${name}&open=${coupon?.id}`)
  const holders = panel.getByRole('region', { name: '持有的会员' })
  await expect(holders.getByRole('row', { name: /demo41/ })).toContainText('已使用')
  await staff.settled()
})

test('a group rule is made here, and a group fills in the shop', areas, async ({ page, staff }) => {
  const owner = await tokenOf(page.request, 'super')
  const goods = await ask<{ list: { id: number; name: string; retailPrice: number }[] }>(
    page.request,
    owner,
    '/admin/goods/list?isOnSale=true&limit=50&sort=id&order=asc', // of the demo shop: other stories add some,
  )
  const rules = await ask<{ list: { goodsId: number }[] }>(page.request, owner, '/admin/groupon/list?limit=100')
  const free = goods.list.find(({ id, retailPrice }) => retailPrice > 20 && !rules.list.some((r) => r.goodsId === id))
  if (!free) throw new Error('no goods without a rule')
  await staff.login()
  await page.goto('/promotion/groupon?open=new')
  const panel = page.getByRole('complementary')
  await panel.getByRole('combobox', { name: '商品' }).fill(free.name)
  await panel.getByRole('option', { name: free.name }).first().click()
  await panel.getByLabel('优惠金额').fill('2')
  await panel.getByLabel('拼团人数').fill('2')
  await panel.getByLabel('截止时间').fill('2099-12-31T00:00')
  await panel.getByRole('button', { name: '添加', exact: true }).last().click()
  await expect(page.getByText('已添加')).toBeVisible()

  const { list } = await ask<{ list: { id: number }[] }>(
    page.request,
    owner,
    `/admin/groupon/list?goodsId=${free.id}&limit=1`,
  )
  const rule = list[0]?.id
  const opener = await buyer(page.request, 'demo42')
  const opened = await opener.paid(free.id, { grouponRulesId: rule })
  const mine = await opener.wx<{ list: { id: number; orderId: number }[] }>('/wx/groupon/my?showType=0')
  const link = mine.list.find((each) => each.orderId === opened.id)?.id
  const joiner = await buyer(page.request, 'demo43')
  await joiner.paid(free.id, { grouponRulesId: rule, grouponLinkId: link })

  await page.goto(`/promotion/groupon?goodsId=${free.id}&open=${rule}`)
  const groups = panel.getByRole('region', { name: '团和成员' })
  await expect(groups).toContainText('已成团')
  await expect(groups.getByRole('link', { name: 'demo42' })).toBeVisible()
  await expect(groups.getByRole('link', { name: 'demo43' })).toBeVisible()
  await panel.getByRole('button', { name: '试算最近 100 单' }).click()
  await expect(panel.getByText(/单中(有|没有)/)).toBeVisible()
  await staff.settled()
  await ask(page.request, owner, '/admin/groupon/delete', { id: rule })
})

test('a coupon is tried on the last orders', areas, async ({ page, staff }) => {
  const owner = await tokenOf(page.request, 'super')
  const name = newName('试算券') // for every order, whatever other stories have bought
  const { id } = await ask<{ id: number }>(page.request, owner, '/admin/coupon/create', {
    name,
    discount: '1',
    days: 7,
  })
  await staff.login()
  await page.goto(`/promotion/coupon?name=${name}&open=${id}`)
  const panel = page.getByRole('complementary')
  await panel.getByRole('button', { name: '试算最近 100 单' }).click()
  await expect(panel.getByText(/^\d+ 单中有 \d+ 单适用/)).toBeVisible()
  await panel.getByText('适用的订单').first().click()
  await staff.settled()
  await panel.getByRole('group', { name: '适用的订单' }).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/mall\/order\?open=\d+/)
})

test('a coupon and a group rule are tried before they are saved', areas, async ({ page, staff }) => {
  await staff.login()
  await page.goto('/promotion/coupon?open=new')
  const panel = page.getByRole('complementary')
  const ask = panel.getByRole('button', { name: '试算最近 100 单' })
  await expect(ask).toBeDisabled()
  await panel.getByLabel('优惠金额').fill('3')
  await ask.press('Enter')
  const result = panel.getByText(/^\d+ 单中有 \d+ 单适用/)
  await expect(result).toBeVisible()
  const all = await result.textContent()
  await panel.getByLabel('最低消费').fill('500')
  await expect(result).toHaveCount(0) // it was that of another coupon
  await ask.press('Enter')
  await expect(panel.getByText(/单中(有|没有)/)).toBeVisible()
  expect(await panel.getByText(/单中(有|没有)/).textContent()).not.toBe(all)
  await staff.settled()

  await page.goto('/promotion/groupon?open=new')
  await expect(ask).toBeDisabled()
  await panel.getByRole('combobox', { name: '商品' }).fill('1')
  await panel.getByRole('option').first().click()
  await panel.getByLabel('优惠金额').fill('2')
  await ask.press('Enter')
  await expect(panel.getByText(/单中(有|没有)/)).toBeVisible()
  await staff.settled()
})

test('what a coupon is for is found by name', areas, async ({ page, staff }) => {
  await staff.login()
  await page.goto('/promotion/coupon?open=new')
  const panel = page.getByRole('complementary')
  await panel.getByRole('combobox', { name: '适用范围' }).click({ force: true })
  await page.getByRole('option', { name: '指定分类' }).click()
  await panel.getByRole('button', { name: '添加一项' }).click()
  await panel.getByRole('combobox', { name: '第 1 项' }).fill('灯')
  await panel.getByRole('option', { name: '灯具' }).first().click()
  await expect(panel.getByRole('combobox', { name: '第 1 项' })).toHaveValue(/灯/)
  await staff.settled()
})

test('categories are a tree that keys walk through, and that is put in order', areas, async ({ page, staff }) => {
  const name = newName('类目')
  await staff.login()
  await page.goto('/mall/category')
  const tree = page.getByRole('tree', { name: '商品类目' })
  const first = tree.getByRole('treeitem').first()
  await staff.settled()
  await first.focus()
  await page.keyboard.press('Space')
  await expect(first).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('ArrowRight')
  await expect(first).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('ArrowRight')
  await expect(tree.getByRole('treeitem').nth(1)).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary')
  await panel.getByRole('button', { name: /^在“.*”下添加$/ }).click()
  await panel.getByLabel('名称').fill(name)
  await staff.settled()
  await panel.getByRole('button', { name: '添加', exact: true }).click()
  const added = tree.getByRole('treeitem', { name })
  await expect(added).toHaveAttribute('aria-level', '2')
  await added.click()
  const place = panel.getByText(/^第 \d+ 个，共 \d+ 个$/)
  await expect(place).toBeVisible()
  const [at, of] = ((await place.textContent()) ?? '').match(/\d+/g) ?? []
  await panel.getByRole('button', { name: '上移' }).click()
  await expect(place).toHaveText(`第 ${Number(at) - 1} 个，共 ${of} 个`)
  await staff.settled()
  await panel.getByRole('button', { name: '删除' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
  await expect(added).toHaveCount(0)
})

test('a topic is written as shoppers will read it', areas, async ({ page, staff }) => {
  const title = newName('专题')
  await staff.login()
  await page.goto('/promotion/topic?open=new')
  await staff.quiet()
  const panel = page.getByRole('complementary')
  const editor = panel.getByRole('textbox', { name: '内容' })
  await panel.getByRole('textbox', { name: '标题', exact: true }).fill(title)
  await editor.click()
  await panel.getByRole('button', { name: '标题', exact: true }).click()
  await page.keyboard.type('雨季')
  await page.keyboard.press('Enter')
  await page.keyboard.type('带伞。')
  await panel.getByLabel('价格').fill('9.90')
  await staff.settled()
  await panel.locator('button[type=submit]').click()
  await expect(page.getByText('已添加')).toBeVisible()
  const owner = await tokenOf(page.request, 'super')
  const { list } = await ask<{ list: { content: string }[] }>(
    page.request,
    owner,
    `/admin/topic/list?title=${encodeURIComponent(title)}`,
  )
  expect(list[0]?.content).toBe('<h3>雨季</h3><p>带伞。</p>')
})

test('a banner is shown as the shop shows it, and leads where it says', areas, async ({ page, staff }) => {
  const owner = await tokenOf(page.request, 'super')
  const { list } = await ask<{ list: { url: string }[] }>(page.request, owner, '/admin/ad/list?limit=1')
  const name = newName('横幅')
  const banner = { name, url: list[0]?.url, content: '三天', link: '/goods/1', position: 1, enabled: false }
  const { id } = await ask<{ id: number }>(page.request, owner, '/admin/ad/create', banner)
  await staff.login()
  await page.goto(`/promotion/ad?name=${name}&open=${id}`)
  const panel = page.getByRole('complementary')
  const ratio = (of: string) =>
    panel
      .getByRole('figure', { name: of })
      .locator('.banner')
      .evaluate((e) => e.clientWidth / e.clientHeight)
  await staff.quiet()
  expect(await ratio('手机')).toBeCloseTo(2.5, 1)
  expect(await ratio('电脑')).toBeCloseTo(2.96, 1)
  await expect(panel.getByText('三天')).toHaveCount(3)
  await staff.settled()
  await panel.getByRole('link', { name: '商品 1' }).click()
  await expect(page).toHaveURL('/goods/goods?open=1')
})
