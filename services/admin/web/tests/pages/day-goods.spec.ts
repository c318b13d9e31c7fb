import { expect, test } from '../console'
import { newName } from '../operators'
import { audited, buysShirt, colleague, importsGoods, makesShirt } from '../steps'

// The day of who looks after the goods.

const day = { tag: ['@areas', '@wide'] }

test('goods are made and bought, imported, and dearer', day, async ({ page, staff, browser }) => {
  test.slow()
  const who = await colleague(page, 'goods')
  const name = newName('工装')
  await staff.login(who)
  await page.goto('/goods/goods')
  const id = await makesShirt(page, staff, name)
  await buysShirt(page, browser, id, name)
  await importsGoods(page, staff, `${name}外套`)

  await page.goto(`/goods/goods?name=${encodeURIComponent(name)}`)
  await page.getByLabel('选择本页全部').check()
  await expect(page.getByText('已选 3 条')).toBeVisible()
  await page.getByRole('button', { name: '调价' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('调价方式').selectOption('percent')
  await dialog.getByLabel('调整').fill('10')
  await dialog.getByRole('button', { name: '查看变化' }).click()
  await expect(dialog.getByRole('cell', { name: '¥13.20' })).toBeVisible()
  await staff.settled()
  await dialog.getByRole('button', { name: '修改 3 件商品' }).click()
  await expect(page.getByText('已修改 3 件商品')).toBeVisible()
  await audited(page, browser, who, [
    ['批量修改商品', 'Change many goods'],
    ['添加商品', 'Add goods'],
    ['添加商品', 'Add goods'],
    ['上传', 'Upload a picture'],
  ])
})
