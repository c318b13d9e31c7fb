import { expect, type Browser, type Locator, type Page } from '@playwright/test'
import { buyer, shopAddress } from './buyer'
import { type Console, logIn } from './console'
import { drawing } from './drawing'
import { editor, gallery, preview, save, stored, variants } from './goods'
import { ask, newName, newOperator, password, tokenOf } from './operators'

// What people do in more than one story.

export const panel = (page: Page) => page.getByRole('complementary')

/** A new operator with the rights of another, whose audit records are those of one story. */
export async function colleague(page: Page, name: string): Promise<string> {
  type Info = { permissions: string[] }
  const { permissions } = await ask<Info>(page.request, await tokenOf(page.request, name), '/admin/auth/info')
  return newOperator(page.request, ...permissions)
}

/** A new owner of the shop: the role that may do everything cannot be made, so it is the shop's own. */
export async function newOwner(page: Page): Promise<string> {
  const owner = await tokenOf(page.request, 'super')
  const username = newName('owner')
  await ask(page.request, owner, '/admin/admin/create', { username, password, roleIds: [1] })
  return username
}

/** Makes goods with two specifications, twelve variants, pictures and rich text, on the list of goods. */
export async function makesShirt(page: Page, staff: Console, name: string): Promise<number> {
  await page.getByRole('button', { name: '上架', exact: true }).click()
  await page.getByLabel(/^名称/).fill(name)
  await page.getByLabel('商品编号').fill(name)
  await page
    .locator('input[type=file][multiple]')
    .first()
    .setInputFiles([drawing('#b33'), drawing('#37b')])
  await expect(gallery(page).getByRole('button', { name: /^移除第/ })).toHaveCount(2)

  await page.getByRole('button', { name: '添加规格' }).click()
  await page.keyboard.type('颜色')
  await variants(page).getByLabel('颜色的第 1 个值').fill('黑')
  await page.keyboard.press('Enter')
  await page.keyboard.type('白')
  await page.keyboard.press('Enter')
  await page.keyboard.type('蓝')
  await page.getByRole('button', { name: '添加规格' }).click()
  await page.keyboard.type('尺码')
  for (const [at, size] of ['S', 'M', 'L', 'XL'].entries()) {
    if (at > 0) await page.keyboard.press('Enter')
    else await variants(page).getByLabel('尺码的第 1 个值').focus()
    await page.keyboard.type(size)
  }
  await expect(variants(page).getByLabel(/ · 价格$/)).toHaveCount(12)
  await variants(page).getByLabel('全部货品的价格').fill('129')
  await variants(page).getByLabel('全部货品的数量').fill('3')
  await page.keyboard.press('Enter')
  await variants(page).getByLabel('白 / L · 价格').fill('139.50')
  await variants(page).locator('input[type=file]').first().setInputFiles(drawing('#222'))
  await expect(variants(page).getByRole('button', { name: '移除黑的图片' })).toBeVisible()

  await editor(page).click()
  await page.getByRole('button', { name: '标题', exact: true }).click()
  await page.keyboard.type('一件好衬衫')
  await page.keyboard.press('Enter')
  await page.keyboard.type('洗一次就更软。')
  await page.locator('.rich input[type=file]').setInputFiles(drawing('#2a6'))
  await expect(editor(page).locator('img[src*="storage"]')).toBeVisible()
  await expect(preview(page).getByText('一件好衬衫')).toBeVisible()
  await staff.settled()

  // What was typed is there after a reload.
  await page.reload()
  await expect(variants(page).getByLabel('白 / L · 价格')).toHaveValue('139.50')
  await save(page, '上架').click()
  await expect(page.getByText('已添加')).toBeVisible()
  const list = await ask<{ list: { id: number }[] }>(
    page.request,
    await tokenOf(page.request, 'super'),
    `/admin/goods/list?goodsSn=${encodeURIComponent(name)}`,
  )
  const id = list.list[0]?.id ?? 0
  const { goods, products } = await stored(page, id)
  expect(goods).toMatchObject({ name, isOnSale: true, retailPrice: 129 })
  expect(goods.gallery).toHaveLength(2)
  expect(goods.picUrl).toBe((goods.gallery as string[])[0])
  expect(products).toHaveLength(12)
  expect(goods.detail).toMatch(/^<h3>一件好衬衫<\/h3><p>洗一次就更软。<\/p><img src="[^"]+" alt="">$/)
  return id
}

/** A shopper sees all of it on the shop's page, chooses, and buys. */
export async function buysShirt(page: Page, browser: Browser, id: number, name: string): Promise<void> {
  const shopper = await buyer(page.request, 'demo171')
  const shop = await browser.newPage({ baseURL: shopAddress, locale: 'zh-CN' })
  await shop.addInitScript((token) => localStorage.setItem('shop.token', token), shopper.token())
  await shop.goto(`/goods/${id}`)
  await expect(shop.getByRole('heading', { name })).toBeVisible()
  await expect(shop.getByText('洗一次就更软。')).toBeVisible()
  const about = shop.locator('.about')
  for (const value of ['白', 'L']) await about.getByRole('button', { name: value, exact: true }).click()
  await expect(about.getByText('139').first()).toBeVisible()
  await about.getByRole('button', { name: '立即购买' }).click()
  await shop.getByRole('button', { name: '提交订单' }).click()
  await expect(shop).toHaveURL(/\/pay\/\d+/)
  await shop.close()
  const bought = (await stored(page, id)).products.find(({ specifications }) => specifications.join() === '白,L')
  expect(bought?.number).toBe(2)
}

/** Imports two goods from a file, of which the first attempt has a bad line. */
export async function importsGoods(page: Page, staff: Console, name: string): Promise<void> {
  const owner = await tokenOf(page.request, 'super')
  const headers = { 'X-Shop-Admin-Token': owner }
  const exported = await page.request.get('/admin/goods/export?goodsId=1', { headers })
  const [heading = '', row = ''] = (await exported.text()).replace('\uFEFF', '').split(/\r?\n/)
  const columns = heading.split(',')
  const line = (sn: string, price: string) => {
    const cells = columns.map((column) => {
      return { goodsSn: sn, name: sn, specifications: '规格=标准', price, number: '5' }[column] ?? ''
    })
    return cells.join(',')
  }
  expect(row).not.toBe('')
  const file = (...lines: string[]) => ({
    name: 'shirts.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['\uFEFF' + heading, ...lines].join('\r\n')),
  })
  await page.goto('/goods/goods')
  await page.getByRole('button', { name: '导入商品' }).click()
  await page
    .getByLabel('选择文件')
    .last()
    .setInputFiles(file(line(name, '9.9'), line(`${name}-2`, 'dear')))
  await expect(page.getByText('有 1 处问题')).toBeVisible()
  await expect(page.getByRole('row', { name: new RegExp(`3 ${name}-2 price`) })).toBeVisible()
  await staff.settled()
  await page
    .getByLabel('选择文件')
    .last()
    .setInputFiles(file(line(name, '9.9'), line(`${name}-2`, '12')))
  await page.getByRole('button', { name: '添加 2 件商品' }).click()
  await expect(page.getByText('已添加 2 件商品，2 个货品')).toBeVisible()
}

/** Cases that wait for a decision, by their numbers. */
export async function asked(page: Page, name: string, count: number): Promise<string[]> {
  const shopper = await buyer(page.request, name)
  const numbers: string[] = []
  for (let i = 0; i < count; i++) {
    const { id } = await shopper.received()
    const request = { orderId: id, type: 1, reason: '太小', amount: 1, pictures: [], comment: '包装已经拆开' }
    await shopper.wx('/wx/aftersale/submit', request)
    const { aftersale } = await shopper.wx<{ aftersale: { aftersaleSn: string } }>(`/wx/aftersale/detail?orderId=${id}`)
    numbers.push(aftersale.aftersaleSn)
  }
  return numbers
}

/** A received order with a comment on it. */
export async function commented(shopper: Awaited<ReturnType<typeof buyer>>, content: string) {
  const received = await shopper.received()
  const detail = `/wx/order/detail?orderId=${received.id}`
  const { orderGoods } = await shopper.wx<{ orderGoods: { id: number }[] }>(detail)
  const comment = { orderGoodsId: orderGoods[0]?.id, content, star: 5, hasPicture: false, picUrls: [] }
  await shopper.wx('/wx/order/comment', comment)
  return received
}

/** Makes a role without rights, and opens it. */
export async function makesRole(page: Page, name: string): Promise<number> {
  await page.goto('/sys/role?open=new')
  await page.getByLabel('名称').last().fill(name)
  await panel(page).getByRole('button', { name: '角色添加' }).click()
  await page.getByRole('link', { name }).click()
  await expect(page).toHaveURL(/open=\d+/)
  return Number(new URL(page.url()).searchParams.get('open'))
}

/** Gives the open role all rights of a page, by keyboard: the search leads to it, and the space bar ticks all of it. */
export async function grants(page: Page, word: string, menu: string): Promise<void> {
  await panel(page).getByLabel('查找权限').fill(word)
  const rights = panel(page).getByRole('treeitem', { name: menu })
  await rights.focus()
  await page.keyboard.press('Space')
  await expect(rights).toHaveAttribute('aria-checked', 'true')
  await expect(panel(page).getByText('新增 5 项，收回 0 项')).toBeVisible()
  await panel(page).getByRole('button', { name: '权限变更' }).click()
  await expect(page.getByText('权限已保存，立即生效')).toBeVisible()
}

/** Takes all rights of a page from a role. */
export async function takesAway(page: Page, role: number, menu: string): Promise<void> {
  await page.goto(`/sys/role?open=${role}`)
  await panel(page).getByLabel('查找权限').fill(menu)
  await panel(page).getByRole('treeitem', { name: menu }).locator('.box').click()
  await panel(page).getByRole('button', { name: '权限变更' }).click()
  await expect(page.getByText('权限已保存，立即生效')).toBeVisible()
}

/** Gives an operator one more role. */
export async function givesRole(page: Page, username: string, role: string): Promise<void> {
  await page.goto(`/sys/admin?username=${username}`)
  await page.getByRole('link', { name: username }).click()
  await page.getByRole('button', { name: '编辑' }).click()
  await expect(page.getByLabel('角色')).toHaveCount(1)
  await page.getByLabel('角色').press('ArrowDown')
  await page.getByRole('option', { name: role }).click()
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('已保存')).toBeVisible()
}

/** Reaches a place with the Tab key alone. */
export async function tabTo(page: Page, place: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(place).toBeVisible()
  const focused = () => place.evaluate((element) => element === document.activeElement)
  for (let steps = 0; !(await focused()); steps++) {
    if (steps > 200) throw new Error(`Tab does not reach ${String(place)}`)
    await page.keyboard.press(key)
  }
}

/** Reaches a place with the Tab key, and presses Enter. */
export async function enters(page: Page, place: Locator): Promise<void> {
  await tabTo(page, place)
  await page.keyboard.press('Enter')
}

/** The audit page shows what an operator has done, newest first, in the language of the owner who looks. */
export async function audited(page: Page, browser: Browser, who: string, acts: readonly [zh: string, en: string][]) {
  const owner = await tokenOf(page.request, 'super')
  type Admins = { list: { id: number }[] }
  const { list } = await ask<Admins>(page.request, owner, `/admin/admin/list?username=${who}`)
  const other = await browser.newPage({ baseURL: new URL(page.url()).origin, locale: 'zh-CN' })
  await logIn(other, 'super')
  for (const [language, said] of [
    ['zh', acts.map(([zh]) => zh)],
    ['en', acts.map(([, en]) => en)],
  ] as const) {
    await other.addInitScript((language) => localStorage.setItem('shop.language', language), language)
    await other.goto(`/sys/audit?adminId=${list[0]?.id}`)
    const lines = other.getByRole('main').getByRole('listitem')
    for (const text of said) await expect(lines.filter({ hasText: `${who}${text}` }).first(), text).toBeVisible()
  }
  await other.close()
}
