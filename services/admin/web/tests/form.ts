import { expect, type Locator, type Page } from '@playwright/test'
import { isChoice } from '../src/console/kinds'
import type { Act, Field } from '../src/console/shape'
import { filledIn } from '../src/plain/refer'
import { newName, password } from './operators'

// How people fill in a form that follows from a declaration.

export const panel = (page: Page) => page.getByRole('complementary')

/** The input of a field, by its name, or by the way to it in a list or an object. */
export const input = (page: Page, part: string, way: string) => page.locator(`${part} [id$="-${way}"]`)

export const isLookUp = (field: Field) => field.show?.as === 'of' && field.kind !== 'list'

/** The address of a picture, where a field needs one. */
let picture = ''
export function usePicture(url: string): void {
  picture = url
}

/** The least value that a field may have. */
export function least(field: Field): string {
  if (field.show?.as === 'secret') return password
  if (field.show?.as === 'time') return '2098-01-02T03:04:05'
  if (field.show?.as === 'picture') return picture
  if (field.kind === 'integer') return String(field.min ?? 0)
  if (field.kind === 'decimal') return String(Math.max(field.min ?? 0, 0))
  return newName('least')
}

const options = (page: Page) => page.locator('[role=option]:not([aria-disabled=true])').filter({ visible: true })

/**
 * Chooses an option of a select, by its name or the first that is not chosen yet. By keys: the list unfolds while its
 * options are visible already, so that a click may miss them.
 */
export async function choose(at: Locator, name?: string): Promise<void> {
  const page = at.page()
  await at.press('ArrowDown')
  await expect(options(page).first()).toBeVisible()
  for (let wanted = false; !wanted;) {
    const before = (await at.getAttribute('aria-activedescendant')) ?? ''
    await at.press('ArrowDown')
    await expect(at).not.toHaveAttribute('aria-activedescendant', before)
    const marked = page.locator(`[id="${await at.getAttribute('aria-activedescendant')}"]`)
    wanted = name
      ? (await marked.textContent())?.trim() === name
      : !(await marked.getAttribute('class'))?.includes('is-selected')
  }
  await at.press('Enter')
  if ((await at.getAttribute('aria-expanded')) === 'true') await at.press('Escape')
}

/** Gives a field a value as people do: a filter, or an empty field of a form. */
export async function fill(page: Page, part: string, field: Field, value = least(field)): Promise<void> {
  const at = input(page, part, field.name)
  if (field.kind === 'boolean' || isChoice(field) || (field.kind === 'list' && field.show?.one)) {
    await choose(at)
  } else if (isLookUp(field)) {
    await at.click()
    await options(page).first().click()
  } else await at.fill(value)
}

/** Fills in what an object or the items of a list need, one item of each list. */
export async function fillAll(page: Page, field: Field, way: string, value: (way: string) => string | undefined) {
  if (field.kind === 'list' && field.item) {
    await input(page, 'aside', way).click()
    await fillAll(page, field.item, `${way}-0`, value)
  } else if (field.kind === 'object') {
    for (const member of (field.members ?? []).filter((each) => each.required)) {
      await fillAll(page, member, `${way}-${member.name}`, value)
    }
  } else await input(page, 'aside', way).fill(value(way) ?? least(field))
}

/** Chooses a record by its name. */
export async function lookUp(at: Locator, name: string): Promise<void> {
  await at.fill(name)
  await at.press('Enter')
  await expect(at).toHaveAttribute('aria-expanded', 'false')
  await expect(at).toHaveValue(name)
}

/** Gives a field of a form another value than it has. */
export async function change(page: Page, field: Field, value?: string): Promise<void> {
  const at = input(page, 'aside', field.name)
  if (field.kind === 'boolean' && !isChoice(field)) return at.press('Space')
  if (field.kind === 'list' && field.show?.of === 'role') return choose(at)
  if (field.kind === 'list') {
    const items = page.locator(`aside [id*="-${field.name}-"]:is(input, textarea)`)
    const item = input(page, 'aside', `${field.name}-${await items.count()}`)
    await at.click()
    if (field.show?.as === 'picture') return item.fill(picture)
    if (field.show?.as !== 'of') return item.fill(value ?? '')
    return lookUp(item, value ?? '')
  }
  if (isLookUp(field)) return lookUp(at, value ?? '')
  if (isChoice(field)) return fill(page, 'aside', field)
  const now = await at.inputValue()
  if (field.show?.as === 'picture') return at.fill(now === picture ? `${picture}?2` : picture)
  if (field.show?.as === 'time') return at.fill(value ?? '2098-03-04T05:06:07')
  if (field.kind === 'integer' || field.kind === 'decimal') return at.fill(value ?? String(Number(now) + 1))
  await at.fill(value ?? newName('other'))
}

/** The values that break a bound of a field. */
function broken(field: Field): string[] {
  if (isChoice(field) || isLookUp(field) || field.kind === 'list' || field.show?.as === 'time') return []
  const { kind, min, max } = field
  if (kind === 'text') return max === undefined ? [] : ['x'.repeat(max + 1)]
  if (kind === 'decimal') return ['1.005', 'x']
  if (kind !== 'integer') return []
  return [...(min === undefined ? [] : [String(min - 1)]), ...(max === undefined ? [] : [String(max + 1)]), 'x']
}

/** Breaks each bound once: the text stands beside its field, and nothing is sent. */
export async function bounds(page: Page, act: Act, send: () => Promise<void>): Promise<void> {
  const fields = filledIn(act)
  const calls: string[] = []
  page.on('request', (request) => calls.push(request.url()))
  const say = (field: Field) => page.locator(`aside [id$="-${field.name}-say"]`)
  const single = fields.filter(({ kind }) => kind !== 'list' && kind !== 'object')
  await send()
  for (const field of fields.filter((each) => each.required || each.notBlank)) {
    const first = field.members?.find((each) => each.required) ?? field
    await expect(say(field), field.name).toHaveText(`缺少${first.label.zh}`)
  }
  const rounds = Math.max(0, ...single.map((field) => broken(field).length))
  for (let round = 0; round < rounds; round++) {
    const wrong = single.filter((field) => broken(field)[round] !== undefined)
    for (const field of wrong) await input(page, 'aside', field.name).fill(broken(field)[round] ?? '')
    await send()
    for (const field of wrong) await expect(say(field), field.name).toContainText(field.label.zh)
    for (const field of wrong) await input(page, 'aside', field.name).fill('')
  }
  expect(calls.filter((url) => url.endsWith(act.path))).toEqual([])
}
