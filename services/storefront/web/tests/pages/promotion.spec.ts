import type { APIRequestContext } from '@playwright/test'
import { buyer } from '../orders'
import { both, expect, test } from '../shop'

interface Offer {
  id: number
  rulesId: number
  name: string
}

/** Opens a group for an offer of the demo shop, or joins one, and pays for it. */
async function enters(request: APIRequestContext, username: string, name: string, grouponLinkId = 0) {
  const { wx } = await buyer(request, username)
  const { list } = await wx<{ list: Offer[] }>('get', '/wx/groupon/list')
  const offer = list.find((o) => o.name === name)
  if (!offer) throw new Error(`the demo shop has no group offer on ${name}`)
  const { productList } = await wx<{ productList: { id: number }[] }>('get', '/wx/goods/detail', { id: offer.id })
  const addresses = await wx<{ list: { id: number }[] }>('get', '/wx/address/list')
  const row = { goodsId: offer.id, productId: productList[0]?.id, number: 1 }
  const order = await wx<{ orderId: number; grouponLinkId: number }>('post', '/wx/order/submit', {
    cartId: await wx<number>('post', '/wx/cart/fastadd', row),
    addressId: addresses.list[0]?.id,
    couponId: -1,
    grouponRulesId: offer.rulesId,
    grouponLinkId,
  })
  await wx('post', '/wx/order/prepay', { orderId: order.orderId })
  const paid = async () =>
    (await wx<{ orderInfo: { orderStatus: number } }>('get', '/wx/order/detail', { orderId: order.orderId })).orderInfo
  await expect.poll(async () => (await paid()).orderStatus, { timeout: 20_000 }).toBe(201)
  return { group: order.grouponLinkId, rule: offer.rulesId, goods: offer.id }
}

test('group offers lead to their goods', async ({ page, shop }) => {
  await page.goto('/groups')
  await shop.settled()
  await page
    .getByRole('main')
    .getByRole('link', { name: /双铃闹钟/ })
    .click()
  await expect(page).toHaveURL(/\/goods\/\d+\?group=\d+$/)
})

test('who was invited to a group joins it', both, async ({ page, shop, isMobile }) => {
  const [opener = '', joiner] = isMobile ? ['demo17', 'demo18'] : ['demo19', 'demo20']
  const { group, rule } = await enters(page.request, opener, '双铃闹钟')
  await shop.login(joiner)
  await page.goto(`/groups/${group}`)
  await shop.settled()
  await expect(page.getByRole('heading', { name: '好友邀请你一起买' })).toBeVisible()
  await shop.picture('group-invited')
  await page.getByRole('button', { name: '参加团购' }).click()
  const dialog = page.getByRole('dialog', { name: '参加团购' })
  await dialog.getByRole('button', { name: '樱桃红' }).click()
  await dialog.getByRole('button', { name: '选好了，去结算' }).click()
  await expect(page).toHaveURL(new RegExp(`/checkout\\?.*group=${rule}.*link=${group}`))
})

test('a guest who was invited finds the choice again after the login', async ({ page, shop, isMobile }) => {
  const { group } = await enters(page.request, isMobile ? 'demo24' : 'demo25', '双铃闹钟')
  await page.goto(`/groups/${group}`)
  await shop.settled()
  await page.getByRole('button', { name: '参加团购' }).click()
  const dialog = page.getByRole('dialog', { name: '参加团购' })
  await dialog.getByRole('button', { name: '奶油白' }).click()
  await dialog.getByRole('button', { name: '选好了，去结算' }).click()
  await expect(page).toHaveURL(/\/login\?back=.*groups.*product/)
  const back = new URL(page.url()).searchParams.get('back') ?? ''
  await page.goto(back)
  await expect(dialog.getByRole('button', { name: '奶油白' })).toHaveAttribute('aria-pressed', 'true')
})

test('who comes too late is led to a group of their own', async ({ page, shop, isMobile }) => {
  const [opener = '', second = ''] = isMobile ? ['demo26', 'demo27'] : ['demo28', 'demo29']
  const { group, rule, goods } = await enters(page.request, opener, '早安马克杯')
  await enters(page.request, second, '早安马克杯', group)
  await page.goto(`/groups/${group}`)
  await shop.settled()
  await expect(page.getByRole('heading', { name: '这个团已经成团' })).toBeVisible()
  await page.getByRole('link', { name: '发起团购' }).click()
  await expect(page).toHaveURL(new RegExp(`/goods/${goods}\\?group=${rule}$`))
})

test('an invitation to nothing says so', async ({ page }) => {
  await page.goto('/groups/999999')
  await expect(page.getByRole('main').getByRole('link', { name: '看看其他团购' })).toBeVisible()
})

test('a coupon is taken, and its use is offered', async ({ page, shop, isMobile }) => {
  await shop.login(isMobile ? 'demo21' : 'demo22')
  await page.goto('/coupons')
  await shop.settled()
  const daily = page.getByRole('listitem').filter({ hasText: '日日五元券' })
  await daily.getByRole('button', { name: /领取/ }).click()
  await expect(daily.getByRole('link', { name: '去使用' })).toBeVisible()
})

test('a guest who takes a coupon logs in first', async ({ page, shop }) => {
  await page.goto('/coupons')
  await shop.settled()
  await page.getByRole('button', { name: /领取/ }).first().click()
  await expect(page).toHaveURL(/\/login\?back=\/coupons/)
})
