import { buyer } from '../buyer'
import { both, expect, test } from '../console'
import { panel } from '../form'
import { newOperator } from '../operators'

test('an order is shipped from the queue with the keyboard, and its number corrected', async ({ page, staff }) => {
  const shopper = await buyer(page.request, 'demo161')
  const { id, sn } = await shopper.paid()
  await staff.login()
  await page.goto('/mall/order?orderStatusArray=201')
  await page.getByRole('button', { name: '逐单发货' }).press('Enter')
  const number = page.getByLabel('快递单号')
  await expect(number).toBeFocused()

  // j goes on and k back; in a number that is begun they are letters. The order that was bought last is the last one.
  const heading = page.getByRole('main').getByRole('heading', { level: 2 })
  const first = (await heading.textContent()) ?? ''
  await page.keyboard.press('j')
  await expect(heading).not.toHaveText(first)
  await page.keyboard.press('k')
  await expect(heading).toHaveText(first)
  await page.keyboard.type('1j')
  await expect(number).toHaveValue('1j')
  await expect(heading).toHaveText(first)
  await number.fill('')
  for (let before = first; before !== sn; before = (await heading.textContent()) ?? '') {
    await page.keyboard.press('k')
    await expect(heading).not.toHaveText(before)
  }
  await staff.settled()
  await page.keyboard.type(`SF${id}`)
  await page.keyboard.press('Enter')
  await expect(page.getByText(`${sn} 已发货`)).toBeVisible()
  await expect(number).toBeFocused()
  await expect(number).toHaveValue('')
  expect(await shopper.order(id)).toMatchObject({ orderStatus: 301, expNo: `SF${id}` })

  const last = page.getByRole('region', { name: '上一个发出的包裹' })
  await last.getByRole('button', { name: '修改运单' }).press('Enter')
  await expect(last.getByLabel('快递单号')).toBeFocused()
  await last.getByLabel('快递单号').fill(`YT${id}`)
  await page.keyboard.press('Enter')
  await expect(last.getByText(`YT${id}`)).toBeVisible()
  expect(await shopper.order(id)).toMatchObject({ expNo: `YT${id}` })
})

test('single keys can be switched off while the orders are loading', async ({ page, staff }) => {
  await staff.login()
  await page.route('**/admin/order/list?*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    await route.continue()
  })
  await page.goto('/mall/order?view=queue', { waitUntil: 'load' })
  await page.getByRole('button', { name: /super/ }).click()
  const choice = page.getByRole('group', { name: '单键快捷键' })
  await expect(choice).toBeVisible()
  await expect(page.getByLabel('快递单号')).toBeVisible()
  await staff.quiet()
  await expect(choice).toBeVisible() // the orders that have come leave the focus in the menu
  await choice.getByRole('button', { name: '关闭' }).click()
  await page.keyboard.press('Escape')
  await page.getByLabel('快递单号').focus()
  await page.keyboard.press('j')
  await expect(page.getByLabel('快递单号')).toHaveValue('j')
})

test('a file ships its orders but the bad line, and a second time nothing', async ({ page, staff }) => {
  const shopper = await buyer(page.request, 'demo162')
  const one = await shopper.paid()
  const two = await shopper.paid()
  await staff.login()
  await page.goto('/mall/order?view=ship')
  const rows = [`${one.sn},ZTO,A${one.id}`, `${two.sn},ZTO,B${two.id}`, '20200101999999,ZTO,C1', `${one.sn},ZTO,D`]
  const file = {
    name: 'a.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['订单编号,快递公司,快递单号', ...rows].join('\n')),
  }
  await page.getByLabel('选择 CSV 文件', { exact: true }).last().setInputFiles(file)
  await expect(page.getByText('2 单将发货，2 行有问题')).toBeVisible()
  await expect(page.getByText('没有这个订单')).toBeVisible()
  await expect(page.getByText('订单在清单中重复')).toBeVisible()
  await staff.settled()
  await page.getByRole('button', { name: '发货 2 单' }).click()
  await expect(page.getByText('已发货 2 单，2 行没有发货')).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: '下载没有发货的行' }).click()
  expect((await download).suggestedFilename()).toBe('not-shipped.csv')
  expect(await shopper.order(one.id)).toMatchObject({ orderStatus: 301, expNo: `A${one.id}` })

  await page.getByRole('button', { name: '重新选择' }).click()
  await page.getByRole('button', { name: '检查' }).click()
  await expect(page.getByText('已用这个单号发货')).toHaveCount(2)
  await expect(page.getByRole('button', { name: '发货 0 单' })).toBeDisabled()
})

test('orders that were chosen are shipped with numbers that are scanned', async ({ page, staff }) => {
  const shopper = await buyer(page.request, 'demo167')
  const one = await shopper.paid()
  const two = await shopper.paid()
  await staff.login()
  await page.goto('/mall/order?orderStatusArray=201')
  for (const { sn } of [two, one]) await page.getByLabel(`选择订单 ${sn}`).check()
  await page.getByRole('button', { name: '批量发货' }).click()
  await page.getByLabel(two.sn).focus()
  await page.keyboard.type(`E${two.id}\n`)
  await expect(page.getByLabel(one.sn)).toBeFocused()
  await page.keyboard.type(`E${one.id}\n`)
  await page.getByRole('button', { name: '发货 2 单' }).click()
  await expect(page.getByText('已发货 2 单，0 行没有发货')).toBeVisible()
  expect(await shopper.order(two.id)).toMatchObject({ orderStatus: 301, expNo: `E${two.id}` })
})

test(
  'tab, search and open order are in the address, and a selection survives paging',
  both,
  async ({ page, staff }) => {
    await staff.login()
    await page.goto('/mall/order')
    await page.getByRole('link', { name: '已完成' }).click()
    await expect(page).toHaveURL(/orderStatusArray=401,402|orderStatusArray=401%2C402/)
    await page.getByRole('checkbox').nth(1).check()
    await page.getByRole('button', { name: '第 2 页' }).click()
    await page.getByRole('checkbox').nth(2).check()
    await expect(page.getByText('已选 2 单')).toBeVisible()
    await staff.settled()

    const link = page.locator('.opens').first()
    const sn = (await link.textContent())?.trim() ?? ''
    await link.click()
    await expect(panel(page).getByRole('heading', { name: sn })).toBeFocused()
    await staff.settled()
    await page.goBack()
    await expect(page.getByRole('link', { name: sn })).toBeFocused()

    await page.getByRole('button', { name: '打印装箱单' }).click()
    await expect(page.getByRole('article')).toHaveCount(2)
    await staff.settled()
    await page.goBack()
    await page.getByRole('button', { name: '打印拣货单' }).click()
    await expect(page.getByRole('table')).toBeVisible()
  },
)

test('the list is exported with its filters', async ({ page, staff }) => {
  await staff.login()
  await page.goto('/mall/order?orderStatusArray=202')
  const asked = page.waitForRequest('**/admin/order/export*')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: '导出' }).click()
  expect((await asked).url()).toContain('202')
  expect((await download).suggestedFilename()).toBe('orders.csv')
})

test('a refund that was asked for is rejected with a reason, then given', async ({ page, staff }) => {
  const shopper = await buyer(page.request, 'demo163')
  const { id } = await shopper.paid()
  await shopper.wx('/wx/order/refund', { orderId: id })
  await staff.login()
  await page.goto(`/mall/order?open=${id}`)
  await panel(page).getByRole('button', { name: '拒绝退款' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('拒绝原因').fill('已经备货')
  await staff.settled()
  await dialog.getByRole('button', { name: '拒绝退款' }).click()
  await expect(panel(page).getByRole('button', { name: '订单发货' })).toBeVisible()
  await shopper.wx('/wx/order/refund', { orderId: id })
  await page.reload()
  await panel(page).getByRole('button', { name: '订单退款' }).click()
  await dialog.getByRole('button', { name: '订单退款' }).click()
  await expect.poll(async () => (await shopper.order(id)).orderStatus).toBe(203)
  await expect(panel(page).getByText('已退款').first()).toBeVisible()
})

test('an order is paid by hand, and a comment on another is answered', async ({ page, staff }) => {
  const shopper = await buyer(page.request, 'demo168')
  const { id } = await shopper.unpaid()
  await staff.login()
  await page.goto(`/mall/order?open=${id}`)
  await panel(page).getByRole('button', { name: '订单收款' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '订单收款' }).click()
  await expect(panel(page).getByRole('button', { name: '订单发货' })).toBeVisible()
  expect(await shopper.order(id)).toMatchObject({ orderStatus: 201 })

  const received = await shopper.received()
  const detail = `/wx/order/detail?orderId=${received.id}`
  const { orderGoods } = await shopper.wx<{ orderGoods: { id: number }[] }>(detail)
  const comment = { orderGoodsId: orderGoods[0]?.id, content: '很好用', star: 5, hasPicture: false, picUrls: [] }
  await shopper.wx('/wx/order/comment', comment)
  await page.goto(`/mall/order?open=${received.id}`)
  await panel(page).getByRole('button', { name: '订单商品回复' }).click()
  await expect(dialog.getByText('很好用')).toBeVisible()
  await dialog.getByRole('button', { name: '订单商品回复' }).click()
  await expect(dialog.getByLabel('回复内容')).toBeFocused() // it is empty
  await dialog.getByLabel('回复内容').fill('谢谢')
  await staff.settled()
  await dialog.getByRole('button', { name: '订单商品回复' }).click()
  await expect(page.getByText('已完成：订单商品回复')).toBeVisible()
})

test('who may only see the list gets nothing else', async ({ page, staff }) => {
  await staff.login(await newOperator(page.request, 'admin:order:list'))
  await page.goto('/mall/order?orderStatusArray=201')
  await page.locator('.opens').first().click()
  await expect(panel(page).getByText('收货人')).toBeVisible()
  await expect(page.getByRole('button', { name: /发货|导出/ })).toHaveCount(0)
  await page.goto('/mall/order?view=queue')
  await expect(page.getByText('查看此页需要权限 admin:order:ship。')).toBeVisible()
})

for (const [name, path] of [
  ['orders', '/mall/order'],
  ['order', '/mall/order?orderStatusArray=301&open=334'],
  ['order-queue', '/mall/order?view=queue'],
  ['order-many', '/mall/order?view=ship'],
  ['order-slips', '/mall/order?view=slips'],
  ['order-pick', '/mall/order?view=pick'],
  ['order-cases', '/mall/order?view=cases'],
] as const) {
  test(`${name} looks right`, both, async ({ page, staff }) => {
    await staff.login()
    await page.goto(path)
    await staff.looksRight(name)
  })
}
