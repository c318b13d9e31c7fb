import { expect, logIn, refusals, test } from '../console'
import { editor, made, save, stored, variants } from '../goods'
import { ask, newName, newOperator, tokenOf } from '../operators'
import { buysShirt, makesShirt } from '../steps'

test(
  'goods with twelve variants, pictures and rich text are made and bought',
  { tag: '@wide' },
  async ({ page, staff, browser }) => {
    const name = newName('衬衫')
    await staff.login('goods')
    await page.goto('/goods/goods')
    const id = await makesShirt(page, staff, name)
    await buysShirt(page, browser, id, name)
  },
)

const areas = { tag: '@areas' }

test('the editor goes by keyboard alone', areas, async ({ page, staff }) => {
  const name = newName('键盘')
  await staff.login()
  await page.goto('/goods/goods?open=new')
  await staff.quiet()
  await page.getByLabel(/^名称/).focus()
  await page.keyboard.type(name)
  await page.keyboard.press('Tab')
  await page.keyboard.type(name)
  await page.getByRole('button', { name: '添加规格' }).press('Enter')
  await page.keyboard.type('颜色')
  await page.keyboard.press('Enter') // sends nothing
  await variants(page).getByLabel('颜色的第 1 个值').focus()
  await page.keyboard.type('红')
  await page.keyboard.press('Enter')
  await page.keyboard.type('绿')
  const price = (of: string) => variants(page).getByLabel(`${of} · 价格`)
  await price('红').focus()
  await page.keyboard.type('10')
  await page.keyboard.press('ArrowDown')
  await expect(price('绿')).toBeFocused()
  await page.keyboard.type('12.5')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('4')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('7')
  await expect(variants(page).getByLabel('红 · 数量')).toHaveValue('7')

  // A value that is added keeps the rows that were filled; one of its own has none yet.
  await variants(page).getByLabel('颜色的第 2 个值').press('Enter')
  await page.keyboard.type('蓝')
  await expect(price('绿')).toHaveValue('12.5')
  await page.keyboard.press('Escape')
  await save(page, '上架').press('Enter')
  await expect(variants(page).getByText('蓝：缺少价格')).toBeVisible()
  await expect(price('蓝')).toBeFocused()
  await page.keyboard.type('9')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('1')
  await page.getByRole('button', { name: '添加参数' }).press('Enter')
  await page.keyboard.type('材质')
  await page.keyboard.press('Tab')
  await page.keyboard.type('棉')
  await editor(page).focus()
  await page.keyboard.type('粗')
  await page.keyboard.press('Shift+Home')
  await page.keyboard.press('Control+b')
  await page.keyboard.press('Tab') // leaves the editor
  await expect(editor(page)).not.toBeFocused()
  await save(page, '上架').press('Enter')
  await expect(page.getByText('已添加')).toBeVisible()
  await expect(page.getByRole('button', { name: '上架', exact: true })).toBeFocused()
})

test(
  'goods are changed: what differs is shown, sent alone, and merged with the change of another',
  areas,
  async ({ page, staff, browser, baseURL }) => {
    staff.mayFail('504: ')
    const id = await made(page, newName('合并'))
    await staff.login()
    await page.goto(`/goods/goods?open=${id}`)
    await variants(page).getByLabel('黑 · 价格').fill('25')
    await page.getByLabel('单位').fill('双')
    await page.getByRole('button', { name: '2 处修改' }).click()
    await expect(page.getByRole('dialog').getByText('20.00')).toBeVisible()
    await staff.settled()
    await page.getByRole('dialog').getByRole('button', { name: '返回' }).click()

    const second = await browser.newPage({ baseURL, locale: 'zh-CN' })
    const faults: string[] = []
    refusals(second, faults)
    await logIn(second, 'super')
    await second.goto(`/goods/goods?open=${id}`)
    await variants(second).getByLabel('黑 · 价格').fill('30')
    await variants(second).getByLabel('白 · 数量').fill('5')
    const sent = second.waitForRequest('**/admin/goods/update')
    await save(second).click()
    expect((await sent).postDataJSON()).toMatchObject({
      goods: { id },
      products: [{ price: '30' }, { number: 5, stockBase: 9 }],
    })
    await expect(second.getByText('已保存')).toBeVisible()
    await second.close()
    expect(faults).toEqual([])

    await save(page).click()
    const dialog = page.getByRole('dialog', { name: '有人刚刚修改了它' })
    await expect(dialog.getByRole('radio')).toHaveCount(2)
    await dialog.getByRole('radio', { name: /^对方的/ }).check()
    await dialog.getByRole('button', { name: '按选择保存' }).click()
    await expect(page.getByText('已保存')).toBeVisible()
    const now = await stored(page, id)
    expect(now.goods).toMatchObject({ unit: '双' })
    expect(now.products.map(({ price, number }) => [price, number])).toEqual([
      [30, 9],
      [20, 5],
    ])
  },
)

test('new goods are like others, and what is pasted is cleaned', areas, async ({ page, staff }) => {
  const name = newName('原样')
  const id = await made(page, name)
  await staff.login()
  await page.goto(`/goods/goods?open=${id}`)
  await page.getByRole('button', { name: '复制为新商品' }).click()
  await expect(page.getByLabel(/^名称/)).toHaveValue(`${name}（副本）`)
  await page.getByLabel('商品编号').fill(`${name}-2`)
  await variants(page).getByLabel('全部货品的数量').fill('4')
  await page.keyboard.press('Enter')
  await editor(page).click()
  await page.keyboard.press('Control+a')
  await editor(page).evaluate((element) => {
    const data = new DataTransfer()
    data.setData(
      'text/html',
      '<html><style>p{}</style><p class="MsoNormal" style="text-align:center;mso-x:1"><b>字</b><o:p></o:p></p><script>x()</script>' +
        '<table><tr><td>格</td></tr></table><img src="file:///c:/a.png"></html>',
    )
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })
  await expect(editor(page).getByRole('cell', { name: '格' })).toBeVisible()
  await staff.settled()
  await save(page, '上架').click()
  await expect(page.getByText('已添加')).toBeVisible()
  const owner = await tokenOf(page.request, 'super')
  const query = `/admin/goods/list?goodsSn=${encodeURIComponent(`${name}-2`)}`
  const found = await ask<{ list: { detail: string }[] }>(page.request, owner, query)
  const detail = found.list[0]?.detail ?? ''
  expect(detail).toMatch(/^<p style="text-align: center"><strong>字<\/strong><\/p><table>/)
  expect(detail).not.toMatch(/script|Mso|file:|colgroup|<style/)
})

test('who may only list goods changes none', areas, async ({ page, staff }) => {
  await staff.login(await newOperator(page.request, 'admin:goods:list'))
  await page.goto('/goods/goods')
  await expect(page.getByRole('button', { name: /上架|导入|导出/ })).toHaveCount(0)
  await page.locator('[data-opens]').first().click()
  await expect(page.getByText('商品编号')).toBeVisible()
  await expect(page.getByRole('button', { name: /保存|删除|复制/ })).toHaveCount(0)
  await page.goto('/goods/goods?open=new')
  await expect(page.getByText('没有这条内容')).toBeVisible()
})

for (const [name, path] of [
  ['goods', '/goods/goods'],
  ['goods-editor', '/goods/goods?open=1'],
  ['goods-new', '/goods/goods?open=new'],
  ['goods-import', '/goods/goods?view=import'],
] as const) {
  test(`${name} looks right`, { tag: ['@both', '@screens'] }, async ({ page, staff }) => {
    await staff.login()
    await page.goto(path)
    await staff.looksRight(name)
  })
}
