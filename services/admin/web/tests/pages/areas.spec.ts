import type { Page } from '@playwright/test'
import { areas } from '../../src/api/console'
import { isChoice, withoutDoubles } from '../../src/console/kinds'
import type { Act, Area, Field, ListAct } from '../../src/console/shape'
import { screens } from '../../src/screens'
import { expect, test } from '../console'
import { ask, newName, password, tokenOf } from '../operators'

// A walk through every area that has the plain screen, by its declarations. It is a part of its own: deploy/local runs it
// when the administration or its page has changed, and nightly.

/** Areas whose form cannot be filled field by field: goods have specifications and products that belong together. */
const noForm = new Set(['goods'])

const own = new Set(['page', 'limit', 'sort', 'order'])
const given = new Set(['id', 'expectedUpdateTime', 'updateTime'])
const panel = (page: Page) => page.getByRole('complementary')
const input = (page: Page, part: string, field: Field) => page.locator(`${part} [id$="-${field.name}"]`)
const isLookUp = (field: Field) => field.show?.as === 'of'

/** The least value that a field may have. */
function least(field: Field): string {
  if (field.show?.as === 'secret') return password
  if (field.show?.as === 'time') return '2098-01-02T03:04:05'
  if (field.show?.as === 'picture') return picture
  if (field.kind === 'integer') return String(field.min ?? 0)
  if (field.kind === 'decimal') return String(Math.max(field.min ?? 0, 0))
  return newName('least')
}

/** Values that an area asks for although none of them is required by itself. */
const together: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  admin: { password },
  coupon: { days: '1' },
}

/** Gives a field a value as people do. */
async function fill(page: Page, part: string, field: Field, value: string): Promise<void> {
  const at = input(page, part, field)
  if (field.kind === 'boolean' || isChoice(field) || (field.kind === 'list' && field.show?.one)) {
    await at.press('ArrowDown')
    await page.getByRole('option').filter({ visible: true }).first().click()
    await page.keyboard.press('Escape')
  } else if (isLookUp(field)) {
    await at.click()
    await page.locator('[role=option]:not([aria-disabled])').filter({ visible: true }).first().click()
  } else await at.fill(value)
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

/** The address of a picture that the shop has. */
let picture = ''
test.beforeAll(async ({ request }) => {
  const owner = await tokenOf(request, 'super')
  const { list } = await ask<{ list: { url: string }[] }>(request, owner, '/admin/ad/list?limit=1')
  picture = list[0]?.url ?? ''
})

async function filters(page: Page, list: ListAct, quiet: () => Promise<void>): Promise<void> {
  for (const field of list.fields.filter((each) => !own.has(each.name))) {
    await fill(page, '.filters', field, isLookUp(field) || field.kind === 'id' ? '1' : least(field))
    const search = page.getByRole('button', { name: '查询' })
    await search.click()
    await expect(page, field.name).toHaveURL(new RegExp(`[?&]${field.name}=`))
    await quiet()
    await page.getByRole('button', { name: '清除筛选' }).click()
    await expect(page, field.name).not.toHaveURL(new RegExp(`[?&]${field.name}=`))
    await quiet()
  }
}

/** Breaks each bound once: the text stands beside its field, and nothing is sent. */
async function bounds(page: Page, fields: readonly Field[], send: () => Promise<void>): Promise<void> {
  const say = (field: Field) => page.locator(`aside [id$="-${field.name}-say"]`)
  await send()
  for (const field of fields.filter((each) => (each.required || each.notBlank) && each.kind !== 'list')) {
    await expect(say(field), field.name).toHaveText(`缺少${field.label.zh}`)
  }
  const rounds = Math.max(0, ...fields.map((field) => broken(field).length))
  for (let round = 0; round < rounds; round++) {
    const wrong = fields.filter((field) => broken(field)[round] !== undefined)
    for (const field of wrong) await input(page, 'aside', field).fill(broken(field)[round] ?? '')
    await send()
    for (const field of wrong) await expect(say(field), field.name).toContainText(field.label.zh)
    for (const field of wrong) await input(page, 'aside', field).fill('')
  }
}

const formOf = (act: Act) => withoutDoubles(act.fields).filter((field) => !given.has(field.name))

/** Adds a record, and leads to it. */
async function add(page: Page, area: Area, act: Act): Promise<number> {
  const path = `/${area.page}`
  const answered = page.waitForResponse((answer) => new URL(answer.url()).pathname === act.path)
  if (act.fields.length === 0) {
    const file = { name: `${newName('least')}.txt`, mimeType: 'text/plain', buffer: Buffer.from('x') }
    await page.locator('input[type=file]').setInputFiles(file)
  } else {
    await page.locator('.head [data-opens=new]').click()
    const send = () => panel(page).locator('button[type=submit]').click()
    await bounds(page, formOf(act), send)
    const extra = together[area.id] ?? {}
    for (const field of formOf(act).filter((each) => each.required || extra[each.name])) {
      await fill(page, 'aside', field, extra[field.name] ?? least(field))
    }
    await send()
  }
  const { data } = (await (await answered).json()) as { data: { id: number } }
  await expect(page.getByText(act.fields.length ? '已添加' : '已上传').first()).toBeVisible()
  await page.goto(path)
  await page.locator(`[data-opens="${data.id}"]`).click()
  await expect(page).toHaveURL(new RegExp(`open=${data.id}`))
  return data.id
}

for (const area of Object.values(areas)) {
  const { list, create, update, delete: removes } = area
  if (!list || screens[area.page]) continue
  test(`${area.id}: filters, bounds, add, edit, delete`, { tag: '@areas' }, async ({ page, staff }) => {
    await staff.login()
    await page.goto(`/${area.page}`)
    await staff.quiet()
    await filters(page, list, () => staff.quiet())

    let id: number | undefined
    if (create && !noForm.has(area.id)) id = await add(page, area, create)
    else {
      const first = page.locator('td [data-opens]').first()
      if (!(await first.count())) return
      await first.click()
    }
    await staff.quiet()
    await panel(page).getByRole('button', { name: '关闭详情' }).click()
    const opener = id === undefined ? page.locator('td [data-opens]').first() : page.locator(`td [data-opens="${id}"]`)
    await expect(opener).toBeFocused()
    await page.keyboard.press('Enter')
    await staff.quiet()

    if (update && !noForm.has(area.id)) {
      const field = formOf(update).find((each) => each.kind === 'text' && !isChoice(each) && !each.show)
      const before = formOf(update).find((each) => each.kind === 'integer' && !isChoice(each))
      await panel(page).getByRole('button', { name: update.button.zh }).click()
      if (field) await input(page, 'aside', field).fill(least(field))
      else if (before) await input(page, 'aside', before).fill(String((before.min ?? 0) + 1))
      else await page.locator('aside textarea').first().fill(newName('least'))
      await panel(page).getByRole('button', { name: '保存' }).click()
      await expect(page.getByText('已保存')).toBeVisible()
    }
    if (removes && id !== undefined) {
      await panel(page).getByRole('button', { name: removes.button.zh }).click()
      await page.getByRole('dialog').getByRole('button', { name: removes.button.zh }).click()
      await expect(page.getByText('已删除')).toBeVisible()
      await expect(page.locator(`[data-opens="${id}"]`)).toHaveCount(0)
    }
    await staff.settled()
  })
}
