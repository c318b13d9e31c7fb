import { buyer } from '../orders'
import { endSession, logIn, picture } from '../people'
import { both, expect, test } from '../shop'

test('the categories lead by two levels to goods, and back', both, async ({ page, shop }) => {
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

test('a list is sorted and filtered in its address', both, async ({ page, shop, isMobile }) => {
  await page.goto('/goods?keyword=杯')
  await shop.settled()
  await page.getByRole('button', { name: '价格从低到高' }).click()
  await expect(page).toHaveURL(/sort=cheap/)
  const prices = async () =>
    (await page.locator('a.goods .now').allInnerTexts()).map((text) => Number(text.replace(/[^\d.]/g, '')))
  const ascend = async () => {
    const all = await prices()
    return all.length > 2 && all.every((price, i) => i === 0 || price >= (all[i - 1] ?? 0))
  }
  await expect.poll(ascend).toBe(true)
  await page.getByRole('button', { name: '价格从高到低' }).click()
  await expect(page).toHaveURL(/sort=dear/)
  await expect.poll(async () => (await prices())[0] ?? 0).toBeGreaterThan(60)

  if (isMobile) await page.getByRole('button', { name: '筛选' }).click()
  const panel = isMobile ? page.getByRole('dialog', { name: '筛选' }) : page.getByRole('main')
  await panel.getByRole('group', { name: '品牌' }).getByRole('button', { name: '青窑' }).click()
  await expect(page).toHaveURL(/brand=\d+/)
  if (isMobile) await panel.getByRole('button', { name: /查看 \d+ 件商品/ }).click()
  await expect(page.locator('a.goods')).toHaveCount(1)
  await page.reload()
  await expect(page.locator('a.goods')).toHaveCount(1)
  await expect(page.getByRole('button', { name: '价格从低到高' })).toHaveAttribute('aria-pressed', 'true')
})

test('goods are found by their price, also on the way back', both, async ({ page, shop, isMobile }) => {
  await page.goto('/goods?keyword=杯')
  await shop.settled()
  const everything = await page.locator('a.goods').count()
  const panel = isMobile ? page.getByRole('dialog', { name: '筛选' }) : page.getByRole('main')
  const group = panel.getByRole('group', { name: '价格', exact: true })
  const [lowest, highest] = [
    group.getByRole('textbox', { name: '最低价' }),
    group.getByRole('textbox', { name: '最高价' }),
  ]
  const filter = page.getByRole('button', { name: /^筛选/ })
  const prices = async () =>
    (await page.locator('a.goods .now').allInnerTexts()).map((text) => Number(text.replace(/[^\d.]/g, '')))
  const inRange = async () => {
    const all = await prices()
    return all.length > 0 && all.length < everything && all.every((price) => price >= 20 && price <= 60)
  }

  if (isMobile) await filter.click()
  await lowest.fill('60')
  await highest.fill('20')
  await highest.press('Enter')
  await expect(highest).toHaveAccessibleDescription('最高价不能低于最低价')
  await expect(highest).toBeFocused()
  await shop.settled()
  await lowest.fill('很便宜')
  await group.getByRole('button', { name: '确定' }).click()
  await expect(lowest).toHaveAccessibleDescription(/请输入金额/)
  await expect(lowest).toBeFocused()
  expect(new URL(page.url()).searchParams.has('minPrice')).toBe(false)

  await lowest.fill('20')
  await highest.fill('60')
  if (isMobile) await panel.getByRole('button', { name: /查看/ }).click()
  else await highest.press('Enter')
  await expect(page).toHaveURL(/minPrice=20&maxPrice=60/)
  await expect.poll(inRange).toBe(true)
  if (isMobile) await expect(filter).toHaveText(/1/)

  const found = await page.locator('a.goods').count()
  await page.locator('a.goods').first().click()
  await expect(page).toHaveURL(/\/goods\/\d+$/)
  await shop.settled()
  await page.goBack()
  await expect(page.locator('a.goods')).toHaveCount(found)
  await page.reload()
  await expect.poll(inRange).toBe(true)

  if (isMobile) await filter.click()
  await expect(lowest).toHaveValue('20')
  await shop.settled()
  await shop.picture('list-price')
  await group.getByRole('button', { name: '¥20 – ¥60' }).click()
  await expect(page).not.toHaveURL(/Price=/)
  await expect(lowest).toHaveValue('')
  await expect(page.locator('a.goods')).toHaveCount(everything)
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
  const { wx } = await buyer(page.request, name)
  await wx('get', '/wx/goods/list', { keyword: word })
  await shop.login(name)
  await page.goto('/search')
  await expect(page.getByRole('link', { name: word })).toBeVisible()
  await page.getByRole('button', { name: '清空搜索历史' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '清空' }).click()
  await expect(page.getByRole('link', { name: word })).toBeHidden()
})

test('an empty answer helps', both, async ({ page, shop, isMobile }) => {
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
  await shop.settled()
})

test('a topic that is gone says so', async ({ page, shop }) => {
  await page.goto('/topics/999999')
  await expect(page.getByRole('main').getByRole('link', { name: '全部专题' })).toBeVisible()
  await shop.settled()
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
  await dialog.locator('input[type=file]').setInputFiles(picture)
  await expect(dialog.getByRole('button', { name: '移除第 1 张图片' })).toBeVisible()
  await dialog.getByRole('button', { name: '发表' }).click()
  await expect(page.getByText('评论已发表')).toBeVisible()
  await expect(dialog).toBeHidden()
  const comment = page.getByRole('article').filter({ hasText: words })
  await expect(comment.getByRole('button', { name: /晒图 1/ })).toBeVisible()
})

test('a guest who wants to comment logs in first', async ({ page, shop }) => {
  await page.goto('/topics/2')
  await shop.settled()
  await page.getByRole('button', { name: '写评论' }).click()
  await expect(page).toHaveURL(/\/login\?back=.*topics.*write/)
})

test('a comment survives a login that ends while one writes', async ({ page, shop, isMobile }) => {
  const name = isMobile ? 'demo16' : 'demo23'
  await shop.login(name)
  await page.goto('/topics/2')
  await shop.settled()
  await page.getByRole('button', { name: '写评论' }).click()
  const dialog = page.getByRole('dialog', { name: '写评论' })
  await dialog.locator('label', { hasText: '4 星，满分 5 星' }).click()
  await dialog.getByLabel('评论内容').fill('写到一半')
  await endSession(page)
  await dialog.getByRole('button', { name: '发表' }).click()
  await expect(page).toHaveURL(/\/login\?back=/)
  await logIn(page, name)
  await expect(page).toHaveURL(/\/topics\/2/)
  await expect(dialog.getByLabel('评论内容')).toHaveValue('写到一半')
  await expect(dialog.getByRole('radio', { name: '4 星，满分 5 星' })).toBeChecked()
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
