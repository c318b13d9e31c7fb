import { buyer } from '../buyer'
import { expect, test } from '../console'
import { ask, newName, newOperator, tokenOf } from '../operators'

// What staff do for one shopper.

const areas = { tag: '@areas' }

test('a shopper is opened with everything that is theirs', areas, async ({ page, staff }) => {
  await staff.login()
  await page.goto('/user/user?mobile=13900000001')
  await page.getByRole('link', { name: '小满1', exact: true }).click()
  const tabs = page.getByRole('navigation', { name: '会员的内容' })
  await expect(page.getByRole('heading', { level: 1, name: '小满1' })).toBeFocused()
  await staff.settled()
  for (const tab of ['售后', '优惠券', '地址', '收藏', '足迹', '搜索', '评论', '反馈', '订单']) {
    await tabs.getByRole('link', { name: tab }).click()
    await expect(tabs.getByRole('link', { name: tab })).toHaveAttribute('aria-current', 'true')
    await staff.settled()
  }
  await page.getByRole('button', { name: '返回会员列表' }).click()
  await expect(page).toHaveURL(/\/user\/user\?mobile=13900000001$/)
  await expect(page.getByRole('link', { name: '小满1', exact: true })).toBeFocused()
  await page.goBack()
  await page.getByRole('group', { name: '订单', exact: true }).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/mall\/order\?open=\d+/)
})

test('who may see orders alone is asked for nothing else', areas, async ({ page, staff }) => {
  await staff.login(await newOperator(page.request, 'admin:user:list', 'admin:user:read', 'admin:order:list'))
  await page.goto('/user/user?open=1')
  const tabs = page.getByRole('navigation', { name: '会员的内容' }).getByRole('link')
  await expect(tabs).toHaveText(['订单'])
  await expect(page.getByRole('button', { name: /停用|编辑|发放/ })).toHaveCount(0)
  await staff.settled()
})

test('who may not read a shopper sees what the list says', areas, async ({ page, staff }) => {
  await staff.login(await newOperator(page.request, 'admin:user:list'))
  await page.goto('/user/user?mobile=13900000001')
  await page.getByRole('link', { name: '小满1', exact: true }).click()
  await expect(page.getByRole('complementary').getByText('demo1', { exact: true })).toBeVisible()
  await staff.settled()
})

test('a shopper is given a coupon, and uses it', areas, async ({ page, staff }) => {
  const owner = await tokenOf(page.request, 'super')
  const name = newName('补偿券')
  const coupon = { name, discount: '5', days: 30, type: 2, limit: 1 }
  await ask(page.request, owner, '/admin/coupon/create', coupon)
  const shopper = await buyer(page.request, 'demo31')
  staff.mayFail('740: ')
  await staff.login()
  await page.goto('/user/user?username=demo31')
  await page.getByRole('link', { name: /31$/ }).click()
  await page.getByRole('link', { name: '优惠券', exact: true }).click()
  for (const again of [false, true]) {
    await page.getByRole('button', { name: '发放优惠券' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox').fill(name)
    await dialog.getByRole('option', { name }).click()
    await staff.settled()
    await dialog.getByRole('button', { name: '发放' }).click()
    if (!again) await expect(page.getByRole('cell', { name })).toBeVisible()
    else await expect(dialog.getByText('每人最多领取 1 张')).toBeVisible()
  }
  const mine = await shopper.wx<{ list: { name: string }[] }>('/wx/coupon/mylist?status=0&limit=0')
  expect(mine.list.map((each) => each.name)).toContain(name)
})

test('a shopper is disabled and enabled', areas, async ({ page, staff }) => {
  const shopper = await buyer(page.request, 'demo32')
  await staff.login()
  await page.goto('/user/user?username=demo32')
  await page.getByRole('link', { name: /32$/ }).click()
  for (const [act, after] of [
    ['停用', '禁用'],
    ['启用', '可用'],
  ] as const) {
    await page.getByRole('button', { name: act }).click()
    await staff.settled()
    await page.getByRole('dialog').getByRole('button', { name: '编辑' }).click()
    await expect(page.getByRole('heading', { level: 1 }).locator('..').getByText(after)).toBeVisible()
  }
  await expect(shopper.wx('/wx/coupon/mylist')).rejects.toThrow() // its login ended
  await buyer(page.request, 'demo32')
})

test('a comment is hidden from the shop and shown again', areas, async ({ page, staff }) => {
  const shopper = await buyer(page.request, 'demo33')
  const count = async () => (await shopper.wx<{ allCount: number }>('/wx/comment/count?type=0&valueId=19')).allCount
  const before = await count()
  await staff.login()
  await page.goto('/goods/comment?valueId=19')
  await page.getByRole('row').nth(1).getByRole('link').click()
  const panel = page.getByRole('complementary')
  await panel.getByRole('button', { name: '在商城隐藏' }).click()
  await staff.settled()
  await page.getByRole('dialog').getByRole('button', { name: '隐藏或显示' }).click()
  await expect(panel.getByText('这条评论已在商城隐藏')).toBeVisible()
  await staff.settled()
  await expect.poll(count).toBe(before - 1)
  await panel.getByRole('button', { name: '重新显示' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '隐藏或显示' }).click()
  await expect(panel.getByText('这条评论已在商城隐藏')).toHaveCount(0)
  await expect.poll(count).toBe(before)
})
