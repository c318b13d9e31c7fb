import type { APIRequestContext, Page } from '@playwright/test'
import { areas } from '../../src/api/console'
import { withoutDoubles } from '../../src/console/kinds'
import type { Act, Area, Field, ListAct } from '../../src/console/shape'
import { filtersOf } from '../../src/plain/address'
import { filledIn } from '../../src/plain/refer'
import { screens } from '../../src/screens'
import { expect, test } from '../console'
import { bounds, change, fill, fillAll, input, isLookUp, least, lookUp, panel, usePicture } from '../form'
import { ask, newName, password, tokenOf } from '../operators'

// A walk through every area that has the plain screen, by its declarations. It is a part of its own: deploy/local runs it
// when the administration or its page has changed, and nightly.

/** Values that an area asks for although none of them is required by itself, and those of its parts that belong together. */
const together: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  admin: { password },
  coupon: { days: '1' },
  groupon: { goodsId: '八骨晴雨伞' },
  goods: {
    'specifications-0-value': '标准',
    'products-0-specifications-0': '标准',
  },
}

test.beforeAll(async ({ request }) => {
  const owner = await tokenOf(request, 'super')
  const { list } = await ask<{ list: { url: string }[] }>(request, owner, '/admin/ad/list?limit=1')
  usePicture(list[0]?.url ?? '')
})

async function filters(page: Page, list: ListAct, quiet: () => Promise<void>): Promise<void> {
  for (const field of filtersOf(list)) {
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
    await bounds(page, act, send)
    const extra = together[area.id] ?? {}
    for (const field of filledIn(act).filter((each) => each.required || extra[each.name])) {
      if (field.kind === 'object' || field.kind === 'list') await fillAll(page, field, field.name, (way) => extra[way])
      else if (isLookUp(field)) await lookUp(input(page, 'aside', field.name), extra[field.name] ?? '')
      else await fill(page, 'aside', field, extra[field.name])
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

type Members = Record<string, unknown>

/** What the service has of a record, and beside it. */
async function stored(request: APIRequestContext, area: Area, id: number): Promise<Members> {
  const path = area.read?.path ?? area.list?.path ?? ''
  const data = await ask<Members>(request, await tokenOf(request, 'super'), `${path}?id=${id}`)
  if ('id' in data) return data
  if (Array.isArray(data.list)) return data.list[0] as Members
  const [name = '', record] =
    Object.entries(data).find(([, each]) => typeof each === 'object' && 'id' in (each ?? {})) ?? []
  return { ...data, [name]: undefined, ...(record as Members) }
}

/** What has to be so before a member can be changed alone. */
const before: Readonly<Record<string, Readonly<Record<string, Members>>>> = {
  category: { pid: { level: 'L2', pid: 1 } },
  coupon: {
    goodsValue: { goodsType: 2, goodsValue: [1] },
    goodsType: { goodsType: 2, goodsValue: [1] },
    timeType: { timeType: 1, startTime: '2097-01-01 00:00:00', endTime: '2099-01-01 00:00:00' },
    startTime: { timeType: 1, startTime: '2097-01-01 00:00:00', endTime: '2099-01-01 00:00:00' },
  },
}

/** Values of members that no other will do for: names of records, a mobile number. */
const values: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ad: { endTime: '2099-02-02T01:01:01' },
  category: { pid: '餐厨' },
  coupon: { goodsValue: '2', endTime: '2099-02-02T01:01:01' },
  goods: { categoryId: '杯壶', brandId: '山月居' },
  groupon: { goodsId: '入门钢笔' },
  topic: { goods: '入门钢笔' },
  user: { mobile: `139${String(Date.now()).slice(-8)}` },
}

/** Members that the service wants with another one. */
const along: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  coupon: { timeType: { days: '3' } },
}

/** Members that the service changes with another one. */
const beside: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  admin: { roleIds: ['roleId'] },
  category: { level: ['pid'] },
  goods: { categoryId: ['categoryIds'] },
  coupon: { goodsType: ['goodsValue'], timeType: ['endTime', 'startTime'] },
  groupon: { goodsId: ['goodsName', 'picUrl'] },
  notice: { title: ['noticeAdminList'], content: ['noticeAdminList'] },
  topic: { goods: ['goodsList'] },
}

/** What says which record is changed, and from which version; all else is edited. */
const refers = new Set(['id', 'expectedUpdateTime', 'updateTime'])

/** Changes each member of a record alone: this is all that is sent, and all that differs then. */
async function edit(page: Page, area: Area, update: Act, id: number, quiet: () => Promise<void>): Promise<void> {
  const fields = withoutDoubles(update.fields).filter(({ name }) => !refers.has(name))
  const version = update.fields.some(({ name }) => name === 'expectedUpdateTime') ? 'expectedUpdateTime' : 'updateTime'
  const save = panel(page).getByRole('button', { name: '保存' })
  for (const field of fields) {
    const first = before[area.id]?.[field.name]
    if (first) {
      await ask(page.request, await tokenOf(page.request, 'super'), update.path, { id, ...first })
      await page.reload()
      await quiet()
    }
    const old = await stored(page.request, area, id)
    await panel(page).getByRole('button', { name: update.button.zh }).click()
    for (const each of fields) await expect(input(page, 'aside', each.name), each.name).toHaveCount(1)
    await change(page, field, values[area.id]?.[field.name])
    const also = along[area.id]?.[field.name] ?? {}
    for (const [name, value] of Object.entries(also)) await input(page, 'aside', name).fill(value)
    const sent = page.waitForRequest(`**${update.path}`)
    await save.click()
    const body = (await sent).postDataJSON() as Members
    const record = (update.record ? body[update.record] : body) as Members
    if (update.record) expect(Object.keys(body), field.name).toEqual([update.record])
    expect(Object.keys(record), field.name).toEqual(['id', version, field.name, ...Object.keys(also)])
    expect(record[version], field.name).toBe(old.updateTime)
    await expect(save, field.name).toHaveCount(0)
    const now = await stored(page.request, area, id)
    const differing = Object.keys(now).filter((name) => JSON.stringify(now[name]) !== JSON.stringify(old[name]))
    const expected = [field.name, 'updateTime', ...Object.keys(also), ...(beside[area.id]?.[field.name] ?? [])]
    expect(differing.sort(), `${field.name}: ${JSON.stringify(record)}`).toEqual(expected.sort())
  }
}

const hasForm = (act?: Act): act is Act & { fields: readonly Field[] } => act !== undefined && act.fields.length > 0

for (const area of Object.values(areas)) {
  const { list, create, update, delete: removes } = area
  if (!list || screens[area.page]) continue
  test(`${area.id}: filters, bounds, add, edit, delete`, { tag: '@areas' }, async ({ page, staff }) => {
    await staff.login()
    await page.goto(`/${area.page}`)
    await staff.quiet()
    await filters(page, list, () => staff.quiet())

    let id: number | undefined
    if (create) id = await add(page, area, create)
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

    const opened = Number(new URL(page.url()).searchParams.get('open'))
    if (hasForm(update)) await edit(page, area, update, opened, () => staff.quiet())
    if (removes && id !== undefined) {
      await panel(page).getByRole('button', { name: removes.button.zh }).click()
      await page.getByRole('dialog').getByRole('button', { name: removes.button.zh }).click()
      await expect(page.getByText('已删除')).toBeVisible()
      await expect(page.locator(`[data-opens="${id}"]`)).toHaveCount(0)
    }
    await staff.settled()
  })
}
