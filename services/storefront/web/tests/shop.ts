import AxeBuilder from '@axe-core/playwright'
import { expect, test as base, type Page, type Request } from '@playwright/test'
import { fileURLToPath } from 'node:url'

const pictures = fileURLToPath(new URL('../../../../.local/pages/', import.meta.url))

/** What a test may do beside what the page offers. */
export interface Shop {
  /** Requests whose failure the test provokes: those whose address contains the text. */
  mayFail(part: string): void
  /** Waits until the page has what it asked for. */
  quiet(): Promise<void>
  /** Waits until the page has what it asked for, and checks it: pictures, texts, and axe. */
  settled(): Promise<void>
  /** Writes a screenshot of the whole page to .local/pages where SHOP_PICTURES asks for it, as make pages does. */
  picture(name: string): Promise<void>
  /** Checks the page as settled does in both languages, and the contrast of its dark colours, with a picture of each.
   * A wide screen has the words and colours of the phone: where no pictures are taken it is checked in Chinese alone. */
  looksRight(name: string): Promise<void>
  /** Logs a shopper of the demo shop in, without the page of the login. */
  login(name?: string): Promise<void>
}

/** The requests that a page waits for. Those of the document before it do not count. */
class Pending {
  private readonly open = new Set<Request>()

  constructor(private readonly page: Page) {
    page.on('request', (request) => {
      if (request.isNavigationRequest()) this.open.clear()
      this.open.add(request)
    })
    page.on('requestfinished', (request) => this.open.delete(request))
    page.on('requestfailed', (request) => this.open.delete(request))
  }

  /** Waits until the page is there and has had nothing to wait for in two looks, a frame or more apart. */
  async none(): Promise<void> {
    await expect(this.page.locator('h1')).toHaveCount(1)
    let looks = 0
    const look = async () => {
      await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
      looks = this.open.size === 0 ? looks + 1 : 0
      return looks
    }
    await expect.poll(look, { intervals: [20], message: 'the page still waits for answers' }).toBeGreaterThan(1)
    await expect(this.page.locator('.skeleton')).toHaveCount(0)
  }
}

const kept = 'shop.language'

/** The test of every page: it fails on errors in the console, failed requests, broken pictures and broken texts. */
export const test = base.extend<{ shop: Shop }>({
  shop: [
    async ({ page, baseURL }, use, info) => {
      const faults: string[] = []
      const allowed = ['Service Worker registration blocked'] // by the configuration, in most stories
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
      const pending = new Pending(page)
      const picture = async (name: string) => {
        if (!process.env.SHOP_PICTURES) return
        await whole(page)
        await page.screenshot({ path: `${pictures}${name}-${info.project.name}.png`, fullPage: true })
      }
      await use({
        mayFail: (part) => void allowed.push(part),
        quiet: () => pending.none(),
        settled: () => settled(page, pending),
        picture,
        looksRight: async (name) => {
          await settled(page, pending)
          await picture(`${name}-zh`)
          if (info.project.name === 'wide' && !process.env.SHOP_PICTURES) return
          await page.emulateMedia({ colorScheme: 'dark' })
          await faded(page)
          await accessible(page, ['color-contrast'])
          await picture(`${name}-dark`)
          await page.emulateMedia({ colorScheme: 'light' })
          await page.evaluate((kept) => localStorage.setItem(kept, 'en'), kept)
          await page.reload()
          await settled(page, pending)
          await expect(page.locator('html')).toHaveAttribute('lang', 'en')
          await picture(`${name}-en`)
          await page.evaluate((kept) => localStorage.removeItem(kept), kept)
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

/** A story whose layout differs on a wide screen: it runs there as well. */
export const both = { tag: '@both' }

/** Loads every picture of the page, those that wait to be scrolled to as well. */
async function whole(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const picture of document.images) picture.loading = 'eager'
  })
  await expect.poll(() => page.evaluate(() => [...document.images].every((picture) => picture.complete))).toBe(true)
}

/** Waits until no colour changes any more. */
async function faded(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise(requestAnimationFrame)
    const changing = document.getAnimations().filter((a) => a instanceof CSSTransition)
    await Promise.allSettled(changing.map((a) => a.finished))
  })
}

async function texts(page: Page): Promise<void> {
  const text = await page.evaluate(() => `${document.title}\n${document.body?.innerText ?? ''}`)
  expect(text).not.toMatch(/\bundefined\b|\bNaN\b|\[object|\bnull\b/)
  expect(text).not.toMatch(/\b(common|home|goods|find|buy|after|account|mine)\.[a-z]+[.a-z]*\b/i) // keys without a text
}

async function settled(page: Page, pending: Pending): Promise<void> {
  await pending.none()
  await whole(page)
  const broken = await page.evaluate(() =>
    [...document.images].filter((i) => i.complete && i.naturalWidth === 0).map((i) => i.src),
  )
  expect(broken).toEqual([])
  await texts(page)
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
    .toBeLessThanOrEqual(page.viewportSize()?.width ?? 0) // a phone makes its window wider for a page that is too wide
  await expect(page.locator('h1')).toHaveCount(1)
  if (new URL(page.url()).pathname !== '/') await expect(page).toHaveTitle(/.+ · .+/) // what the page is, and the shop
  await accessible(page)
  await touchable(page)
}

/** Runs axe with the rules of WCAG 2.2 AA and its best practice, or with these rules alone. */
async function accessible(page: Page, rules?: string[]): Promise<void> {
  const axe = new AxeBuilder({ page }).setLegacyMode() // the page has no frames, for which the other mode opens a window
  if (rules) axe.withRules(rules)
  else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
  const { violations } = await axe.analyze()
  const found = violations.map((v) => `${v.id}: ${v.help}\n  ${v.nodes.map((n) => n.html.slice(0, 200)).join('\n  ')}`)
  expect(found).toEqual([])
}

/** Checks that what is touched is large enough. */
async function touchable(page: Page): Promise<void> {
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

interface Login {
  token: string
  userInfo: unknown
}

/** The logins of this process: a shopper of the demo shop logs in once. */
const logins = new Map<string, Login>()

async function login(page: Page, username: string): Promise<void> {
  let as = logins.get(username)
  if (!as) {
    const answer = await page.request.post('/wx/auth/login', { data: { username, password: 'demo-shop-1' } })
    as = ((await answer.json()) as { data: Login }).data
    logins.set(username, as)
  }
  await page.addInitScript(({ token, userInfo }) => {
    if (localStorage.getItem('shop.test')) return
    localStorage.setItem('shop.test', '1')
    localStorage.setItem('shop.token', token)
    localStorage.setItem('shop.user', JSON.stringify(userInfo))
  }, as)
}
