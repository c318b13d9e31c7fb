import { dayAndTime } from '@shop/web/time'
import type { RouteLocationRaw } from 'vue-router'
import type { Schema } from '@/api'
import { areas } from '@/api/console'
import { placeFor } from '@/console/places'
import { i18n, word } from '@/i18n'
import { actAt, sharedAct } from '../parts/acts'

export type AuditRecord = Schema<'system.Record'>

export const records = actAt('GET', '/admin/audit/records')
export const chain = sharedAct('GET', '/admin/audit/state', records.button)

/** What taking back the call of a record would do, and doing it. */
export const takeBack = actAt('POST', '/admin/audit/takeback')
export const takeBackCheck = sharedAct('GET', '/admin/audit/takeback', takeBack.button)

/** What a table is called: as the page of its area, or by its own name where it is not the area's main one. */
export function thingOf(target: string, area: string): string {
  const page = placeFor(areas[area]?.page ?? '')?.page
  const own = target === area || target === `${area}s` || target === area.replace('-', '_')
  return page ? (own ? word(page.label) : `${word(page.label)} · ${target}`) : target
}

/** Where a row of an area is shown, if its page shows rows. */
export function placeOf(area: string, row: number): RouteLocationRaw | undefined {
  const place = placeFor(areas[area]?.page ?? '')
  return place && areas[area]?.list && row > 0 ? { path: place.path, query: { open: row } } : undefined
}

const moment = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

/** A value of a record, as people read it. */
export function valueText(value: string): string {
  const { t, locale } = i18n.global
  if (value === '') return t('common.none')
  if (value === 'true' || value === 'false') return t(value === 'true' ? 'common.yes' : 'common.no')
  if (moment.test(value)) return dayAndTime(value, locale.value) || value
  if (/^\[("[^"]*",?)*\]$/.test(value)) return (JSON.parse(value) as string[]).join(', ')
  return value
}
