import { endSession, logIn, picture } from '../people'
import { expect, test } from '../shop'

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

test('help finds a question by a word', async ({ page, shop }) => {
  await page.goto('/help')
  await shop.settled()
  await page.getByRole('searchbox', { name: '搜索问题' }).fill('退款')
  await expect(page.locator('summary')).toHaveCount(1)
  await page.getByText('怎样退款？').click()
  await expect(page.getByText('收到货后可以申请售后')).toBeVisible()
  await page.getByRole('searchbox', { name: '搜索问题' }).fill('火星')
  await expect(page.getByText('没有找到相关问题')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: '给我们留言' })).toBeVisible()
})
