import type { Page } from '@playwright/test'
import { newShopper } from '../people'
import { both, expect, test } from '../shop'

// What a shopper does who has no pointer, and what moves for one who wants nothing to move.

/** Whether the focus is seen: a ring around what has it, or around the field that it is in. */
function ringed(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const e = document.activeElement
    if (!e || e === document.body) return true // between the end of a dialog and its beginning the browser has it
    const drawn = (on: Element | null | undefined) => {
      const s = on && getComputedStyle(on)
      return !!s && ((s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2) || s.boxShadow !== 'none')
    }
    return drawn(e) || (e.matches('input, textarea') && (drawn(e.parentElement) || drawn(e.nextElementSibling)))
  })
}

/** Goes on by the Tab key to what has the name; the focus is seen at every step. */
async function tabTo(page: Page, role: 'link' | 'button' | 'textbox', name: string | RegExp): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: typeof name === 'string' })
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press('Tab')
    const here = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 160))
    expect(await ringed(page), `the focus is seen at ${here}`).toBe(true)
    if (await page.locator(':focus').and(wanted).count()) return
  }
  throw new Error(`The Tab key does not lead to ${name}`)
}

test('keys alone buy', both, async ({ page, shop, isMobile }) => {
  const { username } = await newShopper(page)
  await shop.login(username)
  await page.goto('/')
  await shop.settled()
  await tabTo(page, 'link', /^松石釉提梁壶|^八骨晴雨伞/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/goods\/\d+/)
  await expect(page.locator('main')).toBeFocused()

  await page.goto('/goods/1')
  await shop.settled()
  if (isMobile) {
    // A dialog takes the focus, keeps it, and gives it back to what has opened it.
    await tabTo(page, 'button', '加入购物车')
    await page.keyboard.press('Enter')
    const sheet = page.getByRole('dialog')
    await expect(sheet).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
    await expect(page.getByRole('button', { name: '加入购物车' })).toBeFocused()
    await page.keyboard.press('Enter')
    await tabTo(page, 'button', '加入购物车')
    await page.keyboard.press('Enter')
    await expect(sheet.getByRole('status')).toContainText('请选择') // said where it is heard while the dialog is open
  }
  for (const value of ['松石', '450ml']) {
    await tabTo(page, 'button', value)
    await page.keyboard.press('Space')
    await expect(page.locator(':focus')).toHaveAttribute('aria-pressed', 'true')
  }
  await tabTo(page, 'button', '增加一件')
  await page.keyboard.press('Enter')
  await tabTo(page, 'button', '加入购物车')
  await page.keyboard.press('Enter')
  await expect(page.getByText('已加入购物车')).toBeVisible()
  await expect(page.locator(':focus')).not.toHaveCount(0)

  await tabTo(page, 'link', /购物车/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/cart$/)
  await shop.settled()
  await tabTo(page, 'button', '去结算 (2)')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/checkout/)
  await shop.settled()
  await tabTo(page, 'textbox', '订单留言')
  await page.keyboard.type('请放在门口')
  await tabTo(page, 'button', '提交订单')
  await page.keyboard.press('Enter')
  // What is missing takes the focus.
  await expect(page.getByRole('link', { name: /收货地址/ })).toBeFocused()
})

test('nothing moves for who wants it still', both, async ({ page, shop, isMobile }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const moving = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter((a) => Number(a.effect?.getComputedTiming().duration) > 1)
        .map((a) => (a instanceof CSSAnimation ? a.animationName : 'a transition')),
    )
  await page.goto('/')
  expect(await moving()).toEqual([])
  await shop.settled()
  const banners = page.getByRole('group', { name: '精选活动' })
  const slide = () => banners.getByRole('list').evaluate((e) => Math.round(e.scrollLeft / e.clientWidth))
  expect(await slide()).toBe(0)
  await banners.getByRole('button', { name: '下一张' }).focus()
  await page.keyboard.press('Enter')
  expect(await slide()).toBe(1)
  expect(await moving()).toEqual([])
  await page.goto('/goods/1')
  await page.getByRole('button', { name: isMobile ? '加入购物车' : '分享' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await moving()).toEqual([])
})
