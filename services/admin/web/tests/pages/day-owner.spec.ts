import { expect, logIn, test } from '../console'
import { ask, newName, password, tokenOf } from '../operators'
import { audited, givesRole, grants, makesRole, newOwner, takesAway } from '../steps'

// The owner's day: how the shop is doing, who may do what, and whether the books agree.

const day = { tag: ['@areas', '@wide'] }

test(
  'the owner looks at the shop, gives a role and takes it away, and checks the books',
  day,
  async ({ page, staff, browser, baseURL }) => {
    test.slow()
    const owner = await newOwner(page)
    await staff.login(owner)
    await page.goto('/')
    await expect(page.getByRole('region', { name: '待办' }).getByRole('link').first()).toBeVisible()
    await page.getByRole('button', { name: '90 天' }).click()
    await page.getByText('以表格查看').first().click()
    await expect(page.getByRole('table').getByRole('row')).toHaveCount(91)
    await staff.settled()
    await page.getByRole('navigation', { name: '主导航' }).getByRole('link', { name: '订单统计' }).click()
    await page.getByRole('button', { name: '近 7 天' }).click()
    await expect(page.locator('.sum td').first()).toHaveText(/^\d+$/)

    // A role for somebody who has none but the keywords.
    const role = newName('横幅员')
    const username = newName('staff')
    const none = { name: newName('空'), enabled: true }
    const { id: empty } = await ask<{ id: number }>(
      page.request,
      await tokenOf(page.request, 'super'),
      '/admin/role/create',
      none,
    )
    const person = { username, password, roleIds: [empty] }
    await ask(page.request, await tokenOf(page.request, 'super'), '/admin/admin/create', person)
    const other = await (await browser.newContext({ baseURL, locale: 'zh-CN' })).newPage()
    await logIn(other, username)
    await other.goto('/')
    const menus = other.getByRole('navigation', { name: '主导航' })
    const looksAgain = () => other.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect(menus.getByRole('link')).toHaveText(['首页'])

    const roleId = await makesRole(page, role)
    await grants(page, '广告', '广告管理')
    await givesRole(page, username, role)
    await looksAgain()
    await expect(menus.getByRole('link')).toHaveText(['首页', '广告管理'])

    await page.goto(`/sys/access?show=roles&a=${roleId}`)
    await page.getByLabel('第二个角色').selectOption({ label: '商品编辑' })
    await expect(page.getByText(`“${role}”比“商品编辑”多 5 项`)).toBeVisible()
    await page.goto(`/sys/role?open=${roleId}`)
    await page.getByRole('button', { name: '以角色查看' }).click()
    const banner = page.getByRole('region', { name: '以角色查看' })
    await expect(page.getByRole('navigation', { name: '主导航' }).getByRole('link')).toHaveText(['首页', '广告管理'])
    await banner.getByRole('button', { name: '结束查看' }).click()
    await expect(banner).toHaveCount(0)

    await takesAway(page, roleId, '广告管理')
    await looksAgain()
    await expect(menus.getByRole('link')).toHaveText(['首页'])
    await other.context().close()

    // A check that somebody else has asked for ends first.
    await page.goto('/sys/books')
    const begins = page.getByRole('button', { name: '立即核对' })
    await expect(begins).toBeEnabled({ timeout: 120_000 })
    await begins.click()
    await expect(begins).toBeEnabled({ timeout: 120_000 })
    await expect(page.getByText(/^上次核对：.*由管理员发起$/)).toBeVisible()
    await audited(page, browser, owner, [
      ['核对账目', 'Check the books'],
      ['权限变更', 'Change the permissions of a role'],
      ['编辑管理员', 'Edit an operator'],
      ['添加角色', 'Add a role'],
    ])
  },
)
