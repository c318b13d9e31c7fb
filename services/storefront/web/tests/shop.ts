import { expect, test as base, type Page } from '@playwright/test'
import { looksRight, picture } from '../../../../pkg/web/harness/looks'
import { faultsOf, inStory, Pending, restful, settled, texts } from '../../../../pkg/web/harness/page'

/** What a test may do beside what the page offers. */
export interface Shop {
  /** Requests whose failure the test provokes: those whose address contains the text. */
  mayFail(part: string): void
  /** Waits until the page has what it asked for. */
  quiet(): Promise<void>
  /** Waits until the page has what it asked for, and checks it: pictures, texts, and axe. */
  settled(): Promise<void>
  /** Writes a screenshot of the whole page to .local/pages where pictures are taken, as make pages does. */
  picture(name: string): Promise<void>
  /** Checks the page as settled does in both languages, in the dark and enlarged, with pictures. */
  looksRight(name: string): Promise<void>
  /** Logs a shopper of the demo shop in, without the page of the login. */
  login(name?: string): Promise<void>
}

const manner = {
  waiting: '.skeleton',
  keys: ['common', 'home', 'goods', 'find', 'buy', 'after', 'account', 'mine'],
  target: 44,
  pictures: '',
  enlarged: true,
}

/** The test of every page: it fails on errors in the console, failed requests, broken pictures and broken texts. */
export const test = base.extend<{ shop: Shop }>({
  shop: [
    async ({ page, baseURL }, use, info) => {
      // Behind the page server of development the pictures come from the service itself, which SHOP_SERVICE names.
      const faults = faultsOf(page, [baseURL, process.env.SHOP_SERVICE])
      const allowed = ['Service Worker registration blocked'] // by the configuration, in most stories
      const expected = (text: string) => allowed.some((part) => text.includes(part))
      const pending = new Pending(page, manner.waiting)
      restful(page, pending)
      const view = { page, pending, manner, project: info.project.name }
      await use({
        mayFail: (part) => void allowed.push(part),
        quiet: () => pending.none(),
        settled: () => settled(page, pending, manner, inStory),
        picture: (name) => picture(view, name),
        looksRight: (name) => looksRight(view, name),
        login: (name = 'demo1') => login(page, name),
      })
      await texts(page, manner)
      expect(faults.filter((fault) => !expected(fault))).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

/** A story whose layout differs on a wide screen: it runs there as well. */
export const both = { tag: '@both' }

/** How a page looks that needs no state of its own, in both sizes: not in make test. */
export const looks = { tag: ['@both', '@screens'] }

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
