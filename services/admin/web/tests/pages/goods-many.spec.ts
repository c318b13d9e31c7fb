import { expect, test } from '../console'
import { made, stored } from '../goods'
import { importsGoods } from '../steps'
import { ask, newName, tokenOf } from '../operators'

// Many goods at once: their prices, and a file of them.
const areas = { tag: '@areas' }

test('prices of many goods change after a look at each', areas, async ({ page, staff }) => {
  const name = newName('调价')
  const ids: number[] = []
  for (let n = 0; n < 24; n++) ids.push(await made(page, `${name}-${n}`, ['一', '二'], n === 7 ? '2.00' : '20.00'))
  await staff.login()
  await page.goto(`/goods/goods?name=${name}&limit=50`)
  await page.getByLabel('选择本页全部').check()
  await expect(page.getByText('已选 24 条')).toBeVisible()
  await page.getByRole('button', { name: '调价' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('调整').fill('-5')
  await dialog.getByRole('button', { name: '查看变化' }).click()
  await expect(dialog.getByText('0 件不变，1 件不能这样修改', { exact: false })).toBeVisible()
  await expect(dialog.getByRole('button', { name: /^修改/ })).toBeDisabled()
  await staff.settled()
  await dialog.getByRole('button', { name: '排除这 1 件' }).click()
  await expect(dialog.getByRole('button', { name: '修改 23 件商品' })).toBeEnabled() // it is looked at again
  await dialog.getByText('2 个货品').first().click()
  await expect(dialog.getByText('一: ¥20.00 → ¥15.00').first()).toBeVisible()
  await dialog.getByRole('button', { name: '修改 23 件商品' }).click()
  await expect(page.getByText('已修改 23 件商品')).toBeVisible()
  expect((await stored(page, ids[0] ?? 0)).goods.retailPrice).toBe(15)
  expect((await stored(page, ids[7] ?? 0)).goods.retailPrice).toBe(2)

  // Somebody changes one of them between the look and the change: it is looked at again.
  staff.mayFail('504: ')
  await page.getByLabel(`选择${name}-0`, { exact: true }).check()
  await page.getByLabel(`选择${name}-1`, { exact: true }).check()
  await page.getByRole('button', { name: '调价' }).click()
  await dialog.getByLabel('调价方式').selectOption('percent')
  await dialog.getByLabel('调整').fill('10')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('cell', { name: '¥16.50' }).first()).toBeVisible()
  const owner = await tokenOf(page.request, 'super')
  await ask(page.request, owner, '/admin/goods/update', { goods: { id: ids[0], unit: '袋' } })
  await dialog.getByRole('button', { name: '修改 2 件商品' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await dialog.getByRole('button', { name: '修改 2 件商品' }).click()
  await expect(page.getByText('已修改 2 件商品')).toBeVisible()

  await page.getByLabel(`选择${name}-2`, { exact: true }).check()
  await page.getByRole('button', { name: '下架' }).click()
  await dialog.getByRole('button', { name: '修改 1 件商品' }).click()
  await expect(page.getByText('已修改 1 件商品')).toBeVisible()
  expect((await stored(page, ids[2] ?? 0)).goods.isOnSale).toBe(false)
})

test('a file is checked line by line, mended and imported', areas, async ({ page, staff }) => {
  const name = newName('导入')
  await staff.login()
  await importsGoods(page, staff, name)
  await page.getByRole('button', { name: '查看商品' }).click()
  await expect(page.getByRole('link', { name: `${name}-2` })).toBeVisible()
})
