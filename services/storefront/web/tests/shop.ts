import AxeBuilder from '@axe-core/playwright'
import { expect, test as base, type Page } from '@playwright/test'
import { fileURLToPath } from 'node:url'

const pictures = fileURLToPath(new URL('../../../../.local/pages/', import.meta.url))

/** What a test may do beside what the page offers. */
interface Shop {
  /** Requests whose failure the test provokes: those whose address contains the text. */
  mayFail(part: string): void
  /** Waits until the page has what it asked for, and checks it: pictures, texts, and axe. */
  settled(): Promise<void>
  /** Writes a screenshot of the whole page to .local/pages where SHOP_PICTURES asks for it, as make pages does. */
  picture(name: string): Promise<void>
  /** Logs a shopper of the demo shop in, without the page of the login. */
  login(name?: string): Promise<void>
}

/** The test of every page: it fails on errors in the console, failed requests, broken pictures and broken texts. */
export const test = base.extend<{ shop: Shop }>({
  shop: [
    async ({ page, baseURL }, use, info) => {
      const faults: string[] = []
      const allowed: string[] = []
      const expected = (text: string) => allowed.some((part) => text.includes(part))
      page.on('console', (message) => {
        const text = `${message.text()} ${message.location().url}`
        if (message.type() === 'error' || message.type() === 'warning') faults.push(`console: ${text}`)
      })
      page.on('pageerror', (error) => faults.push(`error: ${error.stack ?? error.message}`))
      page.on('requestfailed', (request) => {
        const why = request.failure()?.errorText ?? ''
        if (why !== 'net::ERR_ABORTED') faults.push(`failed: ${request.url()} ${why}`)
      })
      page.on('response', (answer) => {
        if (answer.status() >= 400) faults.push(`${answer.status()}: ${answer.url()}`)
      })
      page.on('request', (request) => {
        const url = new URL(request.url())
        // Behind the page server of development the pictures come from the service itself, which SHOP_SERVICE names.
        const hosts = [baseURL, process.env.SHOP_SERVICE]
        const own = hosts.includes(url.origin) || ['data:', 'blob:'].includes(url.protocol)
        if (!own) faults.push(`another host is asked: ${request.url()}`)
      })
      await use({
        mayFail: (part) => void allowed.push(part),
        settled: () => settled(page),
        picture: async (name) => {
          if (!process.env.SHOP_PICTURES) return
          await whole(page)
          await page.screenshot({ path: `${pictures}${name}-${info.project.name}.png`, fullPage: true })
        },
        login: (name = 'demo1') => login(page, name),
      })
      await texts(page)
      expect(faults.filter((fault) => !expected(fault))).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

/** Scrolls through the page so that every picture that waits is asked for, and back to the top. */
async function whole(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let y = 0; y < document.documentElement.scrollHeight && y < 20000; y += 500) {
      window.scrollTo(0, y)
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    window.scrollTo(0, 0)
  })
  await page.waitForLoadState('networkidle')
}

async function texts(page: Page): Promise<void> {
  const text = await page.evaluate(() => `${document.title}\n${document.body?.innerText ?? ''}`)
  expect(text).not.toMatch(/\bundefined\b|\bNaN\b|\[object|\bnull\b/)
  expect(text).not.toMatch(/\b(common|home|goods|find|buy|after|account|mine)\.[a-z]+[.a-z]*\b/i) // keys without a text
}

async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await expect(page.locator('.skeleton')).toHaveCount(0)
  await whole(page)
  const broken = await page.evaluate(() =>
    [...document.images].filter((i) => i.complete && i.naturalWidth === 0).map((i) => i.src),
  )
  expect(broken).toEqual([])
  await texts(page)
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
    .toBeLessThanOrEqual(page.viewportSize()?.width ?? 0) // a phone makes its window wider for a page that is too wide
  await accessible(page)
}

async function accessible(page: Page): Promise<void> {
  await expect(page.locator('h1')).toHaveCount(1)
  if (new URL(page.url()).pathname !== '/') await expect(page).toHaveTitle(/.+ · .+/) // what the page is, and the shop
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  const found = violations.map((v) => `${v.id}: ${v.help}\n  ${v.nodes.map((n) => n.html.slice(0, 200)).join('\n  ')}`)
  expect(found).toEqual([])
  const small = await page.evaluate(() => {
    const inText = (e: Element) => e.closest('p, .rich, dd, address') !== null
    return [...document.querySelectorAll('a[href], button, input, select, summary')]
      .filter((e) => !inText(e) && !e.closest('.skip') && e.checkVisibility())
      .map((e) => ({ e, box: (e.closest('label') ?? e).getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1 && (box.height < 43.5 || box.width < 43.5))
      .map(({ e, box }) => `${e.outerHTML.slice(0, 120)} ${Math.round(box.width)} x ${Math.round(box.height)}`)
  })
  expect(small).toEqual([])
}

async function login(page: Page, username: string): Promise<void> {
  const answer = await page.request.post('/wx/auth/login', { data: { username, password: 'demo-shop-1' } })
  const { data } = (await answer.json()) as { data: { token: string; userInfo: unknown } }
  await page.addInitScript(({ token, userInfo }) => {
    if (localStorage.getItem('shop.test')) return
    localStorage.setItem('shop.test', '1')
    localStorage.setItem('shop.token', token)
    localStorage.setItem('shop.user', JSON.stringify(userInfo))
  }, data)
}
