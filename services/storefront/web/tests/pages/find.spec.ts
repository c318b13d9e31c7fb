import type { APIRequestContext } from '@playwright/test'
import { expect, test } from '../shop'

interface Envelope<T> {
  errno: number
  data: T
}

/** Calls the service as a shopper, for what a test needs beside the page. */
async function as(request: APIRequestContext, username: string) {
  const call = async <T>(path: string, data?: object, token = ''): Promise<T> => {
    const headers = { 'X-Shop-Token': token }
    const answer = data ? await request.post(path, { data, headers }) : await request.get(path, { headers })
    const { errno, data: got } = (await answer.json()) as Envelope<T>
    expect(errno, path).toBe(0)
    return got
  }
  const { token } = await call<{ token: string }>('/wx/auth/login', { username, password: 'demo-shop-1' })
  return <T>(path: string, data?: object) => call<T>(path, data, token)
}

test('the categories lead by two levels to goods, and back', async ({ page, shop }) => {
  await page.goto('/category')
  await shop.settled()
  const rail = page.getByRole('navigation', { name: '一级分类' })
  await rail.getByRole('link', { name: '餐厨' }).click()
  await expect(page).toHaveURL(/\/category\/\d+$/)
  await expect(rail.getByRole('link', { name: '餐厨' })).toBeFocused()
  await page.getByRole('region', { name: '餐厨' }).getByRole('link', { name: '杯壶' }).click()
  await expect(page).toHaveURL(/\/goods\?category=\d+$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('杯壶')
  await expect(page.locator('a.goods', { hasText: '早安马克杯' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: '餐厨' })).toBeVisible()
})

test('a list is sorted and filtered in its address', async ({ page, shop, isMobile }) => {
  await page.goto('/goods?keyword=杯')
  await shop.settled()
  await page.getByRole('button', { name: '价格从低到高' }).click()
  await expect(page).toHaveURL(/sort=cheap/)
  const prices = async () =>
    (await page.locator('a.goods .now').allInnerTexts()).map((text) => Number(text.replace(/[^\d.]/g, '')))
  await expect.poll(async () => (await prices()).length).toBeGreaterThan(2)
  expect(await prices()).toEqual([...(await prices())].sort((a, b) => a - b))
  await page.getByRole('button', { name: '价格从高到低' }).click()
  await expect(page).toHaveURL(/sort=dear/)
  await expect.poll(async () => (await prices())[0] ?? 0).toBeGreaterThan(60)

  if (isMobile) await page.getByRole('button', { name: '筛选' }).click()
  const panel = isMobile ? page.getByRole('dialog', { name: '筛选' }) : page.getByRole('main')
  await panel.getByRole('group', { name: '品牌' }).getByRole('button', { name: '青窑' }).click()
  await expect(page).toHaveURL(/brand=\d+/)
  if (isMobile) await panel.getByRole('button', { name: /查看 \d+ 件商品/ }).click()
  const count = await page.locator('a.goods').count()
  await page.reload()
  await expect(page.locator('a.goods')).toHaveCount(count)
  await expect(page.getByRole('button', { name: '价格从低到高' })).toHaveAttribute('aria-pressed', 'true')
})

test('the end of a list brings more, and the way back leads to the same place', async ({ page, shop }) => {
  await page.goto('/goods')
  await expect(page.locator('a.goods').nth(19)).toBeVisible()
  await page.locator('a.goods').last().scrollIntoViewIfNeeded()
  await expect.poll(() => page.locator('a.goods').count()).toBeGreaterThan(39)
  const far = page.locator('a.goods').nth(36)
  await far.scrollIntoViewIfNeeded()
  const before = await page.evaluate(() => window.scrollY)
  const shown = await page.locator('a.goods').count()
  await far.click()
  await expect(page).toHaveURL(/\/goods\/\d+$/)
  await shop.settled()
  await page.goBack()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(before - 60)
  expect(await page.locator('a.goods').count()).toBeGreaterThanOrEqual(shown)
})

test('two searches are two lists on the way back', async ({ page, shop }) => {
  await page.goto('/search')
  await shop.settled()
  const field = page.getByRole('main').getByRole('combobox')
  await field.fill('台灯')
  await field.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('“台灯”')
  await expect(page.locator('a.goods').first()).toBeVisible()
  await page.goto('/goods?keyword=露营')
  await expect(page.locator('a.goods', { hasText: '露营炉锅两件套' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('“台灯”')
  await expect(page.locator('a.goods', { hasText: '小满台灯' })).toBeVisible()
})

test('the search suggests while one types, by keys as well', async ({ page, shop }) => {
  await page.goto('/search')
  await shop.settled()
  const field = page.getByRole('main').getByRole('combobox')
  await expect(field).toBeFocused()
  await expect(field).toHaveAttribute('placeholder', '早安马克杯')
  await field.pressSequentially('笔')
  const option = page.getByRole('option', { name: '笔记本' })
  await expect(option).toBeVisible()
  await field.press('ArrowDown')
  await expect(option).toHaveAttribute('aria-selected', 'true')
  await field.press('Enter')
  await expect(page).toHaveURL(/keyword=%E7%AC%94%E8%AE%B0%E6%9C%AC/)
})

test('the field at the head of a wide screen suggests as well', async ({ page, shop, isMobile }) => {
  test.skip(isMobile, 'a phone has no head')
  await page.goto('/brands')
  await shop.settled()
  const field = page.getByRole('banner').getByRole('combobox')
  await field.pressSequentially('露')
  await page.getByRole('option', { name: '露营' }).click()
  await expect(page).toHaveURL(/\/goods\?keyword=/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('“露营”')
  await expect(page.getByRole('option')).toHaveCount(0)
  await field.fill('')
  await field.press('Enter')
  await expect(page).toHaveURL(/\/search$/)
})

test('a guest finds the words again, and clears them', async ({ page, shop }) => {
  await page.goto('/goods?keyword=围巾')
  await shop.settled()
  await page.goto('/search')
  await expect(page.getByRole('heading', { name: '搜索历史' })).toBeVisible()
  await expect(page.getByRole('link', { name: '围巾' })).toBeVisible()
  await page.getByRole('button', { name: '清空搜索历史' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '清空' }).click()
  await expect(page.getByText('搜索历史已清空')).toBeVisible()
  await expect(page.getByRole('heading', { name: '搜索历史' })).toBeHidden()
})

test('a shopper finds the words again on every device', async ({ page, shop, isMobile }) => {
  const name = isMobile ? 'demo10' : 'demo11'
  const word = `盘${Date.now() % 100000}`
  const call = await as(page.request, name)
  await call('/wx/goods/list?keyword=' + encodeURIComponent(word))
  await shop.login(name)
  await page.goto('/search')
  await expect(page.getByRole('link', { name: word })).toBeVisible()
  await page.getByRole('button', { name: '清空搜索历史' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '清空' }).click()
  await expect(page.getByRole('link', { name: word })).toBeHidden()
})

test('an empty answer helps', async ({ page, shop, isMobile }) => {
  await page.goto('/goods?keyword=火星车&brand=1')
  await shop.settled()
  await expect(page.getByText('没有找到与“火星车”相关的商品')).toBeVisible()
  await expect(page.getByRole('heading', { name: '大家都在买' })).toBeVisible()
  await shop.picture('list-empty')
  if (isMobile) await page.getByRole('main').getByRole('button', { name: '清除筛选' }).click()
  else await page.getByRole('main').getByRole('button', { name: '清除筛选' }).last().click()
  await expect(page).not.toHaveURL(/brand/)
  await page.getByRole('link', { name: '春茶' }).click()
  await expect(page.locator('a.goods', { hasText: '明前绿茶' })).toBeVisible()
})

test('a list that fails says so and tries again', async ({ page, shop }) => {
  shop.mayFail('/wx/goods/list')
  await page.route('**/wx/goods/list*', (route) => route.abort())
  await page.goto('/goods')
  await expect(page.getByRole('alert')).toContainText('暂时连不上商城')
  await page.unroute('**/wx/goods/list*')
  await page.getByRole('button', { name: '再试一次' }).click()
  await expect(page.locator('a.goods').first()).toBeVisible()
})

test('brands lead to a brand and its goods', async ({ page, shop }) => {
  await page.goto('/brands')
  await shop.settled()
  await page.getByRole('main').getByRole('link', { name: /青窑/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('青窑')
  await expect(page).toHaveTitle(/青窑/)
  await expect(page.locator('a.goods', { hasText: '早安马克杯' })).toBeVisible()
  await page.goto('/brands/999999')
  await expect(page.getByRole('main').getByRole('link', { name: '全部品牌' })).toBeVisible()
})

test('a topic has its goods, and is a favourite of who likes it', async ({ page, shop, isMobile }) => {
  await shop.login(isMobile ? 'demo12' : 'demo13')
  await page.goto('/topics')
  await shop.settled()
  await page
    .getByRole('main')
    .getByRole('link', { name: /周末去露营/ })
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('周末去露营')
  await expect(page.locator('a.goods', { hasText: '双人帐篷' })).toBeVisible()
  const heart = page.getByRole('button', { name: '收藏', exact: true })
  const before = await heart.getAttribute('aria-pressed')
  await heart.click()
  await expect(heart).toHaveAttribute('aria-pressed', before === 'true' ? 'false' : 'true')
})

test('who comments on a topic is told what is missing, and finds the comment', async ({ page, shop, isMobile }) => {
  await shop.login(isMobile ? 'demo14' : 'demo15')
  await page.goto('/topics/3')
  await shop.settled()
  await page.getByRole('button', { name: '写评论' }).click()
  const dialog = page.getByRole('dialog', { name: '写评论' })
  await dialog.getByRole('button', { name: '发表' }).click()
  await expect(dialog.getByText('请先评分')).toBeVisible()
  await expect(dialog.getByText('请写下评论内容')).toBeVisible()
  await expect(dialog.getByRole('radio').first()).toBeFocused()
  await shop.settled()
  await dialog.locator('label', { hasText: '5 星，满分 5 星' }).click()
  const words = `周末就去 ${Date.now()}`
  await dialog.getByLabel('评论内容').fill(words)
  await dialog.getByRole('button', { name: '发表' }).click()
  await expect(page.getByText('评论已发表')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('article').filter({ hasText: words })).toBeVisible()
})

test('a guest who wants to comment logs in first', async ({ page, shop }) => {
  await page.goto('/topics/2')
  await shop.settled()
  await page.getByRole('button', { name: '写评论' }).click()
  await expect(page).toHaveURL(/\/login\?back=.*topics.*write/)
})

test('a comment survives a login that ends while one writes', async ({ page, shop }) => {
  await shop.login('demo16')
  await page.goto('/topics/2')
  await shop.settled()
  await page.getByRole('button', { name: '写评论' }).click()
  const dialog = page.getByRole('dialog', { name: '写评论' })
  await dialog.locator('label', { hasText: '4 星，满分 5 星' }).click()
  await dialog.getByLabel('评论内容').fill('写到一半')
  const token = await page.evaluate(() => localStorage.getItem('shop.token') ?? '')
  await page.request.post('/wx/auth/logout', { data: {}, headers: { 'X-Shop-Token': token } })
  await dialog.getByRole('button', { name: '发表' }).click()
  await expect(page).toHaveURL(/\/login\?back=/)
  const back = new URL(page.url()).searchParams.get('back') ?? ''
  const login = await page.request.post('/wx/auth/login', { data: { username: 'demo16', password: 'demo-shop-1' } })
  const { data } = (await login.json()) as Envelope<{ token: string }>
  await page.evaluate((fresh) => localStorage.setItem('shop.token', fresh), data.token)
  await page.goto(back)
  await expect(page.getByRole('dialog', { name: '写评论' }).getByLabel('评论内容')).toHaveValue('写到一半')
})

test('group offers lead to their goods', async ({ page, shop }) => {
  await page.goto('/groups')
  await shop.settled()
  await page
    .getByRole('main')
    .getByRole('link', { name: /双铃闹钟/ })
    .click()
  await expect(page).toHaveURL(/\/goods\/\d+\?group=\d+$/)
})

test('who was invited to a group joins it', async ({ page, shop, isMobile }) => {
  const [opener, joiner] = isMobile ? ['demo17', 'demo18'] : ['demo19', 'demo20']
  const call = await as(page.request, opener)
  const { list } = await call<{ list: { id: number; rulesId: number; name: string }[] }>('/wx/groupon/list')
  const offer = list.find((o) => o.name === '双铃闹钟')
  if (!offer) throw new Error('the demo shop has no such offer')
  const { productList } = await call<{ productList: { id: number }[] }>(`/wx/goods/detail?id=${offer.id}`)
  const addresses = await call<{ list: { id: number }[] }>('/wx/address/list')
  const row = { goodsId: offer.id, productId: productList[0]?.id, number: 1 }
  const cartId = await call<number>('/wx/cart/fastadd', row)
  const order = await call<{ orderId: number; grouponLinkId: number }>('/wx/order/submit', {
    cartId,
    addressId: addresses.list[0]?.id,
    couponId: -1,
    grouponRulesId: offer.rulesId,
  })
  await call('/wx/order/prepay', { orderId: order.orderId })
  await expect
    .poll(async () => {
      const answer = await page.request.get(`/wx/groupon/join?grouponId=${order.grouponLinkId}`)
      return ((await answer.json()) as Envelope<unknown>).errno
    })
    .toBe(0)

  await shop.login(joiner)
  await page.goto(`/groups/${order.grouponLinkId}`)
  await shop.settled()
  await expect(page.getByRole('heading', { name: '好友邀请你一起买' })).toBeVisible()
  await shop.picture('group-invited')
  await page.getByRole('button', { name: '参加团购' }).click()
  const dialog = page.getByRole('dialog', { name: '参加团购' })
  await dialog.getByRole('button', { name: '樱桃红' }).click()
  await dialog.getByRole('button', { name: '选好了，去结算' }).click()
  await expect(page).toHaveURL(new RegExp(`/checkout\\?.*group=${offer.rulesId}.*link=${order.grouponLinkId}`))
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

test('help finds a question by a word', async ({ page, shop }) => {
  await page.goto('/help')
  await shop.settled()
  await page.getByRole('searchbox', { name: '搜索问题' }).fill('退款')
  await expect(page.locator('summary')).toHaveCount(1)
  await page.getByText('怎样退款？').click()
  await expect(page.getByText('收到货后可以申请售后')).toBeVisible()
  await page.getByRole('searchbox', { name: '搜索问题' }).fill('火星')
  await expect(page.getByText('没有找到相关问题')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: '意见反馈' })).toBeVisible()
})
