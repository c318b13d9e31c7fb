import { expect, logIn, looks, test } from '../console'
import { ask, newName, newOperator, password, tokenOf } from '../operators'
import { grants, makesRole, takesAway } from '../steps'

// Who may do what: roles are made, granted, compared, looked through and taken away.

test(
  'a role is made, granted, tried by its operator, compared and taken away',
  { tag: '@wide' },
  async ({ page, staff, browser, baseURL }) => {
    const owner = await tokenOf(page.request, 'super')
    const name = newName('店员')
    await staff.login()
    const roleId = await makesRole(page, name)
    await grants(page, '广告', '广告管理')

    // The operator who has it tries it in a browser of their own.
    const username = newName('staff')
    await ask(page.request, owner, '/admin/admin/create', { username, password, roleIds: [roleId] })
    const other = await (await browser.newContext({ baseURL, locale: 'zh-CN' })).newPage()
    await logIn(other, username)
    await other.goto('/promotion/ad')
    const menus = other.getByRole('navigation', { name: '主导航' })
    await expect(menus.getByRole('link')).toHaveText(['首页', '广告管理'])
    await expect(other.getByRole('button', { name: '添加' })).toBeVisible()

    await page.goto(`/sys/access?show=roles&a=${roleId}`)
    await page.getByLabel('第二个角色').selectOption({ label: '商品编辑' })
    await expect(page.getByText(`“${name}”比“商品编辑”多 5 项`)).toBeVisible()

    // It is taken away, and with it the menus of its operator.
    await takesAway(page, roleId, '广告管理')
    await other.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect(menus.getByRole('link')).toHaveText(['首页'])
    await staff.settled()
    await other.context().close()
  },
)

const areas = { tag: ['@areas', '@wide'] }

test('the console is looked at as a role sees it, and nothing can be changed', areas, async ({ page, staff }) => {
  const owner = await tokenOf(page.request, 'super')
  const name = await newOperator(page.request, 'admin:keyword:list', 'admin:keyword:create', 'admin:brand:list')
  const { list } = await ask<{ list: { id: number }[] }>(page.request, owner, `/admin/role/list?name=${name}`)
  await staff.login()
  await page.goto(`/sys/role?open=${list[0]?.id}`)
  await page.getByRole('button', { name: '以角色查看' }).click()
  const banner = page.getByRole('region', { name: '以角色查看' })
  await expect(banner).toContainText(`您正在以角色“${name}”查看后台。`)
  const menus = page.getByRole('navigation', { name: '主导航' })
  await expect(menus.getByRole('link')).toHaveText(['首页', '品牌制造商', '关键词'])
  await menus.getByRole('link', { name: '品牌制造商' }).click()
  await staff.quiet()
  await expect(page.getByRole('button', { name: '添加' })).toHaveCount(0)

  await page.goto('/mall/keyword?open=new')
  await page.getByLabel('关键字').last().fill(newName('词'))
  await page.getByRole('complementary').getByRole('button', { name: '添加' }).click()
  await expect(page.getByText('正在以角色查看，不能修改。')).toBeVisible()
  await staff.settled()
  // The service refuses it as well, whatever the page does.
  const headers = { 'X-Shop-Admin-Token': owner, 'X-Shop-View-As': String(list[0]?.id) }
  const answer = await page.request.post('/admin/ad/create', { headers, data: { name: 'x' } })
  expect(((await answer.json()) as { errno: number }).errno).toBe(402)

  await banner.getByRole('button', { name: '结束查看' }).click()
  await expect(page).toHaveURL(new RegExp(`/sys/role\\?open=${list[0]?.id}`))
  await expect(menus.getByRole('link', { name: '订单管理' })).toBeVisible()
})

test('what one does not hold cannot be granted', areas, async ({ page, staff }) => {
  const name = await newOperator(
    page.request,
    ...['list', 'read', 'permission-get', 'permission-update'].map((verb) => `admin:role:${verb}`),
    'admin:ad:list',
  )
  const owner = await tokenOf(page.request, 'super')
  const { list } = await ask<{ list: { id: number }[] }>(page.request, owner, `/admin/role/list?name=${name}`)
  await staff.login(name)
  await page.goto(`/sys/role?open=${list[0]?.id}`)
  const panel = page.getByRole('complementary')
  await panel.getByLabel('查找权限').fill('广告')
  await expect(panel.getByRole('treeitem', { name: '添加' })).toHaveAttribute('aria-disabled', 'true')
  await expect(panel.getByRole('treeitem', { name: '查询' })).not.toHaveAttribute('aria-disabled')
  await panel.getByRole('treeitem', { name: '广告管理' }).press('Space')
  await expect(panel.getByText('新增 0 项，收回 1 项')).toBeVisible()
  await staff.settled()
})

test('who may do what is answered both ways', areas, async ({ page, staff }) => {
  const name = await newOperator(page.request, 'admin:topic:delete')
  await staff.login()
  await page.goto('/sys/access')
  await page.getByLabel('权限', { exact: true }).selectOption('admin:topic:delete')
  await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText('该角色授予此权限')
  await expect(page.getByRole('row', { name: /super/ }).first()).toContainText('该角色拥有全部权限')
  await page
    .getByRole('row', { name: new RegExp(name) })
    .getByRole('link', { name })
    .first()
    .click()
  await expect(page.getByRole('heading', { name: `${name} 能做什么` })).toBeVisible()
  const panel = page.getByRole('complementary')
  await panel.getByLabel('查找权限').fill('专题')
  await expect(panel.getByRole('treeitem', { name: '删除' })).toContainText(`来自角色：${name}`)
  await staff.settled()
})

for (const [name, path] of [
  ['role-rights', '/sys/role?open=2'],
  ['admin-rights', '/sys/admin?open=3'],
  ['access-who', '/sys/access?value=admin:ad:list'],
  ['access-person', '/sys/access?show=person&id=2'],
  ['access-compare', '/sys/access?show=roles&a=2&b=3'],
] as const) {
  test(`${name} looks right`, looks, async ({ page, staff }) => {
    await staff.login()
    await page.goto(path)
    await staff.looksRight(name)
  })
}
