import type { Page } from '@playwright/test'
import { areas, menus } from '../../src/api/console'
import { batchActs, exportOf } from '../../src/console/acts'
import type { Act, Area } from '../../src/console/shape'
import { screens } from '../../src/screens'
import { expect, test } from '../console'
import { ask, newName, newOperator, tokenOf } from '../operators'

// What operators see is what they may do. That a page is refused nothing every test checks.

interface Info {
  permissions: string[]
}

const mayOf =
  ({ permissions }: Info) =>
  (act: Pick<Act, 'permission'> | undefined) =>
    act !== undefined && (permissions.includes('*') || permissions.includes(act.permission))

/** The pages with a screen of which the operator holds a permission, in the order of the menus. */
function pagesOf(info: Info): string[] {
  const may = (permission: string) => mayOf(info)({ permission })
  const listed = new Set(
    Object.values(areas)
      .filter((area) => area.list)
      .map((area) => area.page),
  )
  const pages = menus.flatMap((group) => group.pages).filter((page) => listed.has(page.id) || screens[page.id])
  return pages.filter((page) => page.permissions.some(may)).map((page) => `/${page.id}`)
}

/** The texts of the buttons in a part of the page, without those that every operator has. */
async function buttonsIn(page: Page, part: string): Promise<string[]> {
  const all = await page.locator(`${part} .el-button`).allTextContents()
  return all.map((text) => text.trim())
}

/** The buttons that an operator has above the list of an area, and above an open record. */
function buttonsOf(area: Area, may: (act: Act | undefined) => boolean) {
  const held = (...acts: (Act | undefined)[]) => acts.filter((act) => may(act)).map((act) => act?.button.zh)
  return {
    list: held(may(area.list) ? exportOf(area) : undefined, area.create),
    record: held(area.update, area.delete),
    many: batchActs(area).some(may),
  }
}

for (const who of ['super', 'goods', 'clerk', 'one']) {
  test(`${who} opens every page of the menus`, { tag: '@wide' }, async ({ page, staff }) => {
    test.slow()
    const name = who === 'one' ? await newOperator(page.request, 'admin:ad:list') : who
    const info = await ask<Info>(page.request, await tokenOf(page.request, name), '/admin/auth/info')
    await staff.login(name)
    await page.goto('/')
    const nav = page.getByRole('navigation', { name: '主导航' })
    await expect(nav.getByRole('link').first()).toBeVisible()
    const links = await nav.getByRole('link').evaluateAll((all) => all.map((a) => a.getAttribute('href')))
    expect(links).toEqual(['/', ...pagesOf(info)])

    // The Tab key alone reaches each of them.
    const reached: (string | null)[] = []
    for (let i = 0; i < links.length + 8 && reached.length < links.length; i++) {
      await page.keyboard.press('Tab')
      const focus = nav.locator('a:focus')
      if (await focus.count()) reached.push(await focus.getAttribute('href'))
    }
    expect(reached).toEqual(links)

    for (const link of links.slice(1)) {
      await nav.locator(`a[href="${link}"]`).click()
      await expect(nav.locator('[aria-current="page"]')).toHaveAttribute('href', link ?? '')
      await staff.quiet()
      // Exactly the buttons that the operator may use.
      const area = Object.values(areas).find((a) => `/${a.page}` === link && a.list && !screens[a.page])
      if (!area) continue
      const wanted = buttonsOf(area, mayOf(info))
      expect(await buttonsIn(page, '.head'), link ?? '').toEqual(wanted.list)
      const first = page.locator('td [data-opens]').first()
      if (!(await first.count())) continue
      expect(await page.locator('td.choice').count(), link ?? '').toBe(
        wanted.many ? await page.locator('tbody tr').count() : 0,
      )
      await first.click()
      await staff.quiet()
      expect(await buttonsIn(page, '[role=complementary] > .top, aside > .top'), link ?? '').toEqual(wanted.record)
    }
  })
}

test('a page without its permission says which one', async ({ page, staff }) => {
  const name = await newOperator(page.request, 'admin:feedback:list')
  await staff.login(name)
  await page.goto('/mall/brand')
  await expect(page.getByText('查看此页需要权限 admin:brand:list。')).toBeVisible()
  await expect(page.getByText('能打开“角色管理”的管理员可以授予它。')).toBeVisible()
  await expect(page.getByRole('button', { name: '添加' })).toHaveCount(0)
  await staff.settled()
})

test('who may add and not upload gives the address of a picture', async ({ page, staff }) => {
  const name = await newOperator(page.request, 'admin:ad:list', 'admin:ad:create')
  await staff.login(name)
  await page.goto('/promotion/ad?open=new')
  await expect(page.getByRole('textbox', { name: '图片' })).toBeVisible()
  await expect(page.getByRole('button', { name: '上传图片' })).toHaveCount(0)
  await expect(page.getByRole('cell').getByRole('switch')).toHaveCount(0)
})

test(
  'what is taken away goes within a second of work: a right, and then the whole role',
  { tag: '@wide' },
  async ({ page, staff }) => {
    const owner = await tokenOf(page.request, 'super')
    const name = await newOperator(page.request, 'admin:keyword:list', 'admin:keyword:create', 'admin:issue:list')
    const { list } = await ask<{ list: { id: number }[] }>(page.request, owner, `/admin/role/list?name=${name}`)
    const roleId = list[0]?.id
    const nav = page.getByRole('navigation', { name: '主导航' })
    await staff.login(name)
    await page.goto('/mall/keyword?open=new')
    await page.getByLabel('关键字').last().fill(newName('词'))
    await ask(page.request, owner, '/admin/role/permissions', {
      roleId,
      permissions: ['admin:keyword:list', 'admin:issue:list'],
    })
    await page.mouse.move(200, 200)
    await expect(page.getByRole('button', { name: '添加' })).toHaveCount(0)
    await expect(nav.getByRole('link', { name: '通用问题' })).toBeVisible()

    await ask(page.request, owner, '/admin/role/update', { id: roleId, name, enabled: false })
    await page.mouse.move(300, 300)
    await expect(nav.getByRole('link', { name: /关键词|通用问题/ })).toHaveCount(0)
    await expect(page.getByText('查看此页需要权限 admin:keyword:list。')).toBeVisible()
  },
)
