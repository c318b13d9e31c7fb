import { areas, menus } from '../../src/api/console'
import { expect, test } from '../console'
import { ask, newOperator, tokenOf } from '../operators'

// What operators see is what they may do. That a page is refused nothing every test checks.

interface Info {
  permissions: string[]
}

/** The pages with a list of which the operator holds a permission, in the order of the menus. */
function pagesOf({ permissions }: Info): string[] {
  const may = (p: string) => permissions.includes('*') || permissions.includes(p)
  const listed = new Set(
    Object.values(areas)
      .filter((area) => area.list)
      .map((area) => area.page),
  )
  const pages = menus.flatMap((group) => group.pages)
  return pages.filter((page) => listed.has(page.id) && page.permissions.some(may)).map((page) => `/${page.id}`)
}

for (const who of ['super', 'goods', 'clerk', 'one']) {
  test(`${who} opens every page of the menus`, { tag: '@wide' }, async ({ page, staff }) => {
    test.slow()
    const name = who === 'one' ? await newOperator(page.request, 'admin:feedback:list') : who
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
      const first = page.locator('td.title a').first()
      if (!(await first.count())) continue
      await first.click()
      await staff.quiet()
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
  await expect(page.getByLabel('网址')).toBeVisible()
  await expect(page.getByRole('button', { name: '上传图片' })).toHaveCount(0)
  await expect(page.getByRole('cell').getByRole('switch')).toHaveCount(0)
})
