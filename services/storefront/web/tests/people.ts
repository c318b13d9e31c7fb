import { expect, type Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const messages = process.env.SHOP_MESSAGES ?? fileURLToPath(new URL('../../../../.local/messages.log', import.meta.url))

/** The password of every shopper of the tests, and of the demo shop. */
export const password = 'demo-shop-1'

/** Another mobile each time: a code is sent to one only once a minute. */
export function newMobile(): string {
  return '17' + String(Math.floor(Math.random() * 1e9)).padStart(9, '0')
}

/** The code that was sent last to a mobile, from the file that the text messages of a demonstration go to. */
export async function codeFor(mobile: string): Promise<string> {
  const sent = () => [...readFileSync(messages, 'utf8').matchAll(new RegExp(`sms ${mobile} \\D*(\\d{6})`, 'g'))]
  await expect.poll(() => sent().length).toBeGreaterThan(0)
  return sent().at(-1)?.[1] ?? ''
}

/** Asks the service as a shopper, beside the page. */
export async function ask<T>(page: Page, token: string, path: string, body?: object): Promise<T> {
  const headers = { 'X-Shop-Token': token }
  const answer = body
    ? await page.request.post(path, { headers, data: body })
    : await page.request.get(path, { headers })
  const { errno, errmsg, data } = (await answer.json()) as { errno: number; errmsg: string; data: T }
  expect(errno, `${path}: ${errmsg}`).toBe(0)
  return data
}

/** A shopper who has nothing yet. */
export async function newShopper(page: Page): Promise<{ username: string; mobile: string; token: string }> {
  const mobile = newMobile()
  const username = `test${mobile.slice(2)}`
  await ask(page, '', '/wx/auth/regCaptcha', { mobile })
  const body = { username, password, mobile, code: await codeFor(mobile) }
  const { token } = await ask<{ token: string }>(page, '', '/wx/auth/register', body)
  return { username, mobile, token }
}

/** Ends the login of the page at the service; the page learns of it with its next call. */
export async function endSession(page: Page): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('shop.token') ?? '')
  await ask(page, token, '/wx/auth/logout', {})
}

/** Fills in the form of the login. */
export async function logIn(page: Page, username: string, secret = password): Promise<void> {
  await page.getByLabel('用户名或手机号').fill(username)
  await page.getByLabel('密码', { exact: true }).fill(secret)
  await page.getByRole('button', { name: '登录', exact: true }).click()
}

/** A picture to send: a single red dot. */
export const picture = {
  name: 'dot.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  ),
}
