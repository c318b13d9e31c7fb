import { expect, type Page } from '@playwright/test'
import type { Pending } from './page'

const focusable = 'a[href], button, input, select, textarea, summary, [tabindex="0"]'

/** Gives the focus to everything that takes it, down the page and up again, and returns what is then behind a bar. */
export function hiddenFocus(page: Page): Promise<string[]> {
  return page.evaluate((focusable) => {
    const able = [...document.querySelectorAll<HTMLElement>(focusable)].filter(
      (e) => e.checkVisibility({ visibilityProperty: true }) && !e.matches(':disabled, .skip') && e.tabIndex >= 0,
    )
    const hidden = (e: HTMLElement) => {
      e.focus()
      const seen = e.closest('label') ?? e
      const { left, top, bottom, width, height } = seen.getBoundingClientRect()
      const middle = (top + bottom) / 2
      // What is higher than half of the screen need not be seen as a whole.
      const heights =
        height > innerHeight / 2 ? [Math.min(innerHeight - 2, Math.max(2, middle))] : [top + 3, bottom - 3]
      const x = Math.min(innerWidth - 2, Math.max(2, left + width / 2))
      return heights.some((y) => {
        const on = document.elementFromPoint(x, y)
        return !on || !(seen.contains(on) || on.contains(seen))
      })
    }
    const name = (e: HTMLElement) => e.outerHTML.slice(0, 160)
    return [...new Set([...able, ...able.toReversed()].filter(hidden).map(name))]
  }, focusable)
}

/** What is wider than the screen, or cut at its edge, and is no row that one swipes. */
export function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const within = (e: Element, is: (style: CSSStyleDeclaration) => boolean): boolean => {
      const above = e.parentElement
      return above !== null && above !== document.body && (is(getComputedStyle(above)) || within(above, is))
    }
    const wide = [...document.body.querySelectorAll('*')].filter((e) => {
      const { left, right, width } = e.getBoundingClientRect()
      if (width < 2 || !e.checkVisibility() || e.closest('.hidden-text, .skip')) return false
      return (right > innerWidth + 1 || left < -1) && !within(e, (s) => /auto|scroll|hidden|clip/.test(s.overflowX))
    })
    return wide.map((e) => e.outerHTML.slice(0, 160))
  })
}

/** Checks that a page can be used on a screen of 1280 x 800 at 200 %, and on the narrowest that a page has to fit without scrolling
 * sideways: nothing is too wide, and what has the focus is seen. */
export async function enlargeable(page: Page, pending: Pending): Promise<void> {
  const before = page.viewportSize()
  for (const [width, height] of [
    [640, 400],
    [320, 640],
  ] as const) {
    await page.setViewportSize({ width, height })
    await pending.none()
    await expect.poll(() => tooWide(page)).toEqual([])
    expect(await hiddenFocus(page)).toEqual([])
  }
  if (before) await page.setViewportSize(before)
}
