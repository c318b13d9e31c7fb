import type { Page } from '@playwright/test'
import { ask, tokenOf } from './operators'

/** Parts of the editor of goods. */
export const variants = (page: Page) => page.getByRole('region', { name: '规格与库存' })
export const gallery = (page: Page) => page.getByRole('region', { name: '商品图片' })
export const preview = (page: Page) => page.getByRole('complementary', { name: '商城中的样子' })
export const editor = (page: Page) => page.getByRole('textbox', { name: '商品详情' })
export const save = (page: Page, name = '保存') => page.locator('form').getByRole('button', { name, exact: true })

export interface Made {
  id: number
  goods: Record<string, unknown>
  products: { id: number; specifications: string[]; price: number; number: number; url: string }[]
}

/** Goods with variants, made without the page. */
export async function made(page: Page, name: string, colours = ['黑', '白'], price = '20.00'): Promise<number> {
  const body = {
    goods: { name, goodsSn: name, isOnSale: true, detail: '<p>好</p>' },
    specifications: colours.map((value) => ({ specification: '颜色', value })),
    products: colours.map((value) => ({ specifications: [value], price, number: 9 })),
  }
  const { id } = await ask<{ id: number }>(
    page.request,
    await tokenOf(page.request, 'super'),
    '/admin/goods/create',
    body,
  )
  return id
}

export async function stored(page: Page, id: number): Promise<Made> {
  return ask<Made>(page.request, await tokenOf(page.request, 'super'), `/admin/goods/detail?id=${id}`)
}
