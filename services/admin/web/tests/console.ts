import { expect, test as base, type Page } from '@playwright/test'
import { looksRight } from '../../../../pkg/web/harness/looks'
import { faultsOf, inStory, Pending, restful, settled, texts } from '../../../../pkg/web/harness/page'
import { tokenOf } from './operators'

const manner = {
  waiting: '.skeleton',
  keys: ['common', 'shell', 'list', 'page', 'record', 'rule', 'order', 'aftersale', 'home'],
  target: 24,
  pictures: 'console-',
  enlarged: false,
}

/** What a test may do beside what the console offers. */
export interface Console {
  /** Requests and refusals that the test provokes: those whose address or text contains this. */
  mayFail(part: string): void
  /** Waits until the page has what it asked for. */
  quiet(): Promise<void>
  /** Waits until the page has what it asked for, and checks it: pictures, texts, width, and axe. */
  settled(): Promise<void>
  /** Checks the page as settled does in both languages and in the dark, with pictures. */
  looksRight(name: string): Promise<void>
  /** Logs an operator in, without the page of the login. */
  login(name?: string): Promise<void>
}

/** The test of every page: it fails on errors in the console, failed and refused requests, broken pictures and texts. */
export const test = base.extend<{ staff: Console }>({
  staff: [
    async ({ page, baseURL }, use, info) => {
      const faults = faultsOf(page, [baseURL, process.env.STOREFRONT_URL]) // which serves the uploaded files
      refusals(page, faults)
      const allowed: string[] = []
      const pending = new Pending(page, manner.waiting)
      restful(page, pending)
      const view = { page, pending, manner, project: info.project.name }
      await use({
        mayFail: (part) => void allowed.push(part),
        quiet: () => pending.none(),
        settled: () => settled(page, pending, manner, inStory),
        looksRight: (name) => looksRight(view, name),
        login: (name = 'super') => logIn(page, name),
      })
      await texts(page, manner)
      expect(faults.filter((fault) => !allowed.some((part) => fault.includes(part)))).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

/** A story whose layout differs on a phone: it runs there as well. */
export const both = { tag: '@both' }

/** How a screen looks that has no story of its own, on a desk and on a phone: not in make test. */
export const looks = { tag: ['@both', '@screens'] }

/** Collects every refusal of the service: a page asks for nothing that it may not have. */
export function refusals(page: Page, faults: string[]): void {
  page.on('response', async (answer) => {
    if (!answer.url().includes('/admin/')) return
    const body = (await answer.json().catch(() => undefined)) as { errno?: number; errmsg?: string } | undefined
    if (body?.errno) faults.push(`${body.errno}: ${answer.url()} ${body.errmsg}`)
  })
}

/** Logs an operator in on a page that has not been opened yet. */
export async function logIn(page: Page, name: string): Promise<void> {
  const token = await tokenOf(page.request, name)
  await page.addInitScript((token) => {
    if (localStorage.getItem('shop.test')) return
    localStorage.setItem('shop.test', '1')
    localStorage.setItem('shop.admin.token', token)
  }, token)
}
