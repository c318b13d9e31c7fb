import { expect, type Page, type Request } from '@playwright/test'
import type axe from 'axe-core'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// What the browser tests of every page check, whatever they are about.

/** What a page has of its own. */
export interface Manner {
  /** Waiting is shown by elements of this selector. */
  waiting: string
  /** The first words of the keys of texts: a key that is shown is a text that is missing. */
  keys: readonly string[]
  /** The least width and height in pixels of what is touched or clicked. */
  target: number
  /** What the names of its pictures begin with. */
  pictures: string
  /** Whether a page that looks right is also checked enlarged. */
  enlarged: boolean
}

/** The rules by which axe audits a page: all of them, all but the contrast of colours, which is a third of an audit, or that alone. */
export type Rules = 'all' | 'elements' | 'contrast'

/** Whether everything is audited, as in all but make test. */
const thorough = Boolean(process.env.SHOP_STORIES)

/** The rules for a page within a story. What appears in a story alone has the contrast of its colours checked only in those. */
export const inStory: Rules = thorough ? 'all' : 'elements'

/** The rules for a page again in its second language, which has the same elements. */
export const translated: Rules | undefined = thorough ? 'all' : undefined

/** The requests that a page waits for. Those of the document before it do not count. */
export class Pending {
  private readonly open = new Set<Request>()

  constructor(
    private readonly page: Page,
    private readonly waiting: string,
  ) {
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
    await expect(this.page.locator(this.waiting)).toHaveCount(0)
  }
}

/** Lets a page that is opened or loaded anew come to rest before the story goes on, since an answer may undo what a person does
 * meanwhile. A story about a page that is not at rest opens it with waitUntil. */
export function restful(page: Page, pending: Pending): void {
  const { goto, reload } = page
  page.goto = async (url, options) => {
    const answer = await goto.call(page, url, options)
    if (!options?.waitUntil) await pending.none()
    return answer
  }
  page.reload = async (options) => {
    const answer = await reload.call(page, options)
    if (!options?.waitUntil) await pending.none()
    return answer
  }
}

/** Collects what must not happen on a page: errors in the console, requests that fail, other hosts than these. */
export function faultsOf(page: Page, hosts: readonly (string | undefined)[]): string[] {
  const faults: string[] = []
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
    const own = hosts.includes(url.origin) || ['data:', 'blob:'].includes(url.protocol)
    if (!own) faults.push(`another host is asked: ${request.url()}`)
  })
  return faults
}

/** Loads every picture of the page, those that wait to be scrolled to as well. */
export async function whole(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const picture of document.images) picture.loading = 'eager'
  })
  await expect.poll(() => page.evaluate(() => [...document.images].every((picture) => picture.complete))).toBe(true)
}

/** Checks that no text shows a programming error. */
export async function texts(page: Page, manner: Manner): Promise<void> {
  const text = await page.evaluate(() => `${document.title}\n${document.body?.innerText ?? ''}`)
  expect(text).not.toMatch(/\bundefined\b|\bNaN\b|\[object|\bnull\b/)
  expect(text).not.toMatch(new RegExp(`\\b(${manner.keys.join('|')})\\.[a-z]+[.a-z]*\\b`, 'i'))
}

/** Waits until the page has what it asked for, and checks it: pictures, texts, its width and title, and by axe if there are rules. */
export async function settled(page: Page, pending: Pending, manner: Manner, rules?: Rules): Promise<void> {
  await pending.none()
  await whole(page)
  const broken = await page.evaluate(() =>
    [...document.images].filter((i) => i.complete && i.naturalWidth === 0).map((i) => i.src),
  )
  expect(broken).toEqual([])
  await texts(page, manner)
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
    .toBeLessThanOrEqual(page.viewportSize()?.width ?? 0) // a phone makes its window wider for a page that is too wide
  await expect(page.locator('h1')).toHaveCount(1)
  // A title names what the page is, and the shop.
  await expect(page).toHaveTitle(new URL(page.url()).pathname === '/' ? /.+/ : /.+ · .+/)
  if (rules) await accessible(page, rules)
  await touchable(page, manner.target)
}

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Runs axe with the rules of WCAG 2.2 AA and its best practice. */
export async function accessible(page: Page, rules: Rules): Promise<void> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  const options: axe.RunOptions = {
    runOnly: rules === 'contrast' ? ['color-contrast'] : tags,
    rules: rules === 'elements' ? { 'color-contrast': { enabled: false } } : {},
    resultTypes: ['violations'],
  }
  // The page keeps axe until it is left.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const found = await page.evaluate(async (options) => {
    // Colours that still change would be measured on their way: no transition runs meanwhile. A page follows the colours of the system
    // within a frame.
    const still = new CSSStyleSheet()
    still.replaceSync('*, ::before, ::after { transition: none !important }')
    document.adoptedStyleSheets.push(still)
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, options)
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== still)
    const at = (n: axe.NodeResult) => [n.html.slice(0, 200), ...n.any.map((check) => check.message)].join('\n    ')
    return violations.map((v) => `${v.id}: ${v.help}\n  ${v.nodes.map(at).join('\n  ')}`)
  }, options)
  expect(found).toEqual([])
}

/** Checks that what is touched is large enough. */
async function touchable(page: Page, target: number): Promise<void> {
  const small = await page.evaluate((target) => {
    const inText = (e: Element) => e.closest('p, .rich, dd, address') !== null
    return [...document.querySelectorAll('a[href], button, input, select, summary')]
      .filter((e) => !inText(e) && !e.closest('.skip') && e.checkVisibility())
      .map((e) => ({ e, box: (e.closest('label') ?? e).getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1 && (box.height < target - 0.5 || box.width < target - 0.5))
      .map(({ e, box }) => `${e.outerHTML.slice(0, 120)} ${Math.round(box.width)} x ${Math.round(box.height)}`)
  }, target)
  expect(small).toEqual([])
}
