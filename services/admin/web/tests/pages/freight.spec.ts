import { buyer } from '../buyer'
import { expect, test } from '../console'
import { made, save } from '../goods'
import { ask, newName, tokenOf } from '../operators'

// What delivery costs is decided here, and charged in the shop.

interface Preview {
  freightPrice: number
  undeliverableGoodsList: { goodsName: string }[]
}

test('a freight template is made here, and charged in the shop', { tag: '@areas' }, async ({ page, staff }) => {
  const shopper = await buyer(page.request, 'demo44')
  const { list } = await shopper.wx<{ list: { id: number; province: string }[] }>('/wx/address/list')
  const [address] = list
  if (!address) throw new Error('no address')
  const name = newName('运费')
  await staff.login()
  await page.goto('/mall/freight?open=new')
  const panel = page.getByRole('complementary')
  await panel.getByLabel('名称').fill(name)
  await panel.getByLabel('计费方式').press('ArrowDown')
  await page.getByRole('option', { name: '按件数' }).click()
  await expect(panel.getByLabel('无重量商品每件计')).toHaveCount(0)
  const add = panel.getByRole('button', { name: '添加一项' })
  await add.click()
  await panel.getByLabel('首费').fill('7')
  await add.click()
  await panel.getByRole('button', { name: '选择地区' }).last().click()
  await panel.getByLabel('查找名称或编码').fill(address.province)
  await panel.getByRole('checkbox', { name: address.province, exact: true }).check()
  await panel.getByRole('switch').last().press('Space')
  await panel.getByRole('button', { name: '添加', exact: true }).last().click()
  await expect(page.getByText('已添加')).toBeVisible()
  await staff.quiet()

  const goods = await made(page, name, ['红'])
  await page.goto(`/goods/goods?open=${goods}`)
  await page.getByLabel('重量').fill('750')
  await page.getByRole('combobox', { name: '运费模板' }).fill(name)
  await page.getByRole('option', { name }).first().click()
  await save(page).click()
  await staff.quiet()

  const detail = await shopper.wx<{ productList: { id: number }[] }>(`/wx/goods/detail?id=${goods}`)
  const row = { goodsId: goods, productId: detail.productList[0]?.id, number: 1 }
  const cart = await shopper.wx<number>('/wx/cart/fastadd', row)
  const checkout = () => shopper.wx<Preview>(`/wx/cart/checkout?cartId=${cart}&addressId=${address.id}`)
  expect((await checkout()).undeliverableGoodsList.map(({ goodsName }) => goodsName)).toEqual([name])

  const owner = await tokenOf(page.request, 'super')
  const found = await ask<{ list: { id: number }[] }>(page.request, owner, `/admin/freight/list?name=${name}`)
  const id = found.list[0]?.id
  await ask(page.request, owner, '/admin/freight/update', { id, rules: [{ firstPrice: '9' }] })
  await expect.poll(async () => (await checkout()).freightPrice).toBe(9)
  await shopper.paid(goods, { addressId: address.id })

  await page.goto(`/mall/freight?name=${name}&open=${id}`)
  await expect(panel.getByText('其他所有地区')).toBeVisible()
  await panel.getByRole('button', { name: '试算最近 100 单' }).click()
  await expect(panel.getByText(/单，其中 0 单不配送/)).toBeVisible()
  await staff.settled()
})
