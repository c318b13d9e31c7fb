import { both, expect, test } from '../shop'

// What helps to choose and to buy, before the checkout.

test('goods say how they are rated and what their delivery costs', both, async ({ page, shop }) => {
  await page.goto('/goods/1')
  await shop.settled()
  const rating = page.getByRole('link', { name: /5\.0.*2 条评价/ })
  await expect(rating).toBeVisible()
  await expect(page.getByText(/^运费 ¥8\.00，满 ¥88\.00 免运费$/)).toBeVisible()
  await rating.click()
  await expect(page).toHaveURL(/\/goods\/1\/comments$/)
})

test(
  'a wide screen has all pictures in sight, and what one buys beside what one reads',
  { tag: '@wide' },
  async ({ page, shop }) => {
    await page.goto('/goods/1')
    await shop.settled()
    const second = page.getByRole('button', { name: '松石釉提梁壶，第 2 张，共 3 张' })
    await second.click()
    await expect(second).toHaveAttribute('aria-current', 'true')
    const buy = page.locator('.about').getByRole('button', { name: '立即购买' })
    await page.getByRole('heading', { name: '商品参数' }).scrollIntoViewIfNeeded()
    await expect(buy).toBeInViewport()
  },
)

test('a cart says what is missing for free delivery, and loses several rows at once', async ({ page, shop }) => {
  await page.goto('/help')
  await page.evaluate(() => {
    const row = (productId: number, goodsId: number, name: string) => ({
      goodsId,
      productId,
      number: 1,
      name,
      picUrl: '',
      price: 30,
      specifications: [],
      checked: true,
      key: name,
    })
    localStorage.setItem('shop.cart', JSON.stringify([row(31, 14, 'a'), row(150, 56, 'b')]))
  })
  await page.goto('/cart')
  await shop.quiet()
  const rows = page.getByRole('list', { name: '购物车' }).getByRole('article')
  await expect(rows).toHaveCount(2)
  await expect(page.getByText('再买 ¥24.50，省 ¥8.00 运费')).toBeVisible()
  await shop.settled()
  await page.getByRole('button', { name: '删除已选 (2)' }).click()
  await expect(page.getByText('购物车还是空的')).toBeVisible()
  await expect(page.getByRole('heading', { name: '热门商品' })).toBeVisible()
  await expect(page.locator('a.goods').first()).toBeVisible()
  await page.getByRole('button', { name: '撤销' }).click()
  await expect(rows).toHaveCount(2)
})

test('goods go into the cart from a list, or to their page where there is a choice', async ({ page, shop }) => {
  await page.goto('/goods?keyword=三条装小方巾')
  await page.getByRole('button', { name: '把三条装小方巾加入购物车' }).click()
  await expect(page.getByText('已加入购物车')).toBeVisible()
  await shop.settled()
  await page.goto('/goods?keyword=松石釉提梁壶')
  await page.getByRole('button', { name: '把松石釉提梁壶加入购物车' }).click()
  await expect(page).toHaveURL(/\/goods\/1\?choose=1$/)
  await expect(page.getByRole('dialog', { name: '选择规格' })).toBeVisible()
  await shop.quiet()
})

test('each filter of a list is left out by itself', both, async ({ page, shop }) => {
  await page.goto('/goods?minPrice=20&maxPrice=60&isNew=1&category=8')
  const active = page.getByRole('list', { name: '已选的筛选' })
  await expect(active.getByRole('button')).toHaveCount(3)
  await shop.settled()
  await active.getByRole('button', { name: '移除筛选：¥20.00 – ¥60.00' }).click()
  await expect(page).toHaveURL(/\/goods\?category=8&isNew=1$/)
  await expect(active.getByRole('button')).toHaveCount(2)
})

test('a category shows goods below its children', both, async ({ page, shop }) => {
  await page.goto('/category')
  await expect(page.locator('.pane a.goods').first()).toBeVisible()
  await shop.settled()
  await page.getByRole('link', { name: '查看全部' }).click()
  await expect(page).toHaveURL(/\/goods\?category=\d+$/)
})

test('home names the shop', async ({ page, shop }) => {
  await page.goto('/')
  await shop.quiet()
  await expect(page.getByRole('main').getByText('青禾小铺').first()).toBeVisible()
  await expect(page.locator('.banners .dots i')).toHaveCount(4)
})

test('goods looked at before are found again, until the logout', async ({ page, shop }) => {
  await shop.login()
  for (const id of [2, 3, 1]) {
    await page.goto(`/goods/${id}`)
    await shop.quiet()
  }
  const before = page.locator('section', { has: page.getByRole('heading', { name: '最近浏览' }) })
  await expect(before.getByRole('link')).toHaveCount(2)
  await shop.settled()
  await before.getByRole('link').first().click()
  await expect(page).toHaveURL(/\/goods\/3$/)
  await page.goto('/account')
  await page.getByRole('button', { name: '退出登录' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '退出登录' }).click()
  await expect(page.getByText('已退出登录')).toBeVisible()
  await page.goto('/goods/1')
  await shop.quiet()
  await expect(page.getByRole('heading', { name: '最近浏览' })).toHaveCount(0)
})

test('a question to the shop says what it is about', async ({ page, shop }) => {
  await shop.login()
  await page.goto('/goods/1')
  await page.getByRole('link', { name: '给我们留言' }).click()
  await expect(page.getByRole('textbox', { name: '反馈内容' })).toHaveValue(
    '关于商品「松石釉提梁壶」（货号 D000001）：\n',
  )
  await shop.settled()
})
