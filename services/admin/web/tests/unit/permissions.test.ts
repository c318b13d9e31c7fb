// @vitest-environment node
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { areas, permissions } from '@/api/console'
import { plainActs } from '@/console/acts'
import { places } from '@/console/places'
import type { Act } from '@/console/shape'
import { filesBelow } from '../../../../../pkg/web/build/compressed'

/** What no screen uses yet. The list is exact: what a new screen uses goes out of it. */
const unused = [
  'admin:goods:hot',
  'admin:coupon:listuser',
  'admin:coupon:export',
  'admin:groupon:read',
  'admin:role:permission-get',
  'admin:role:permission-update',
]

const src = fileURLToPath(new URL('../../src/', import.meta.url))
const sources = filesBelow(src)
  .filter((path) => /\.(vue|ts)$/.test(path) && !path.includes('/api/'))
  .map((path) => readFileSync(path, 'utf8'))
const quoted = (text: string) => sources.some((source) => source.includes(`'${text}'`))

/** The operations that a page of an area takes from it: listed('order') and actOf(area, 'ship'), area.delete. */
function named(): (Act | undefined)[] {
  return sources.flatMap((source) => {
    const area = areas[/= listed\('([\w-]+)'\)/.exec(source)?.[1] ?? '']
    if (!area) return []
    const acts = [...source.matchAll(/actOf\(area, '([\w-]+)'\)/g)].map(([, verb]) =>
      area.acts.find(({ path }) => path.endsWith(`/${verb}`)),
    )
    return [area.list, area.read, ...acts, ...(/area\.delete/.test(source) ? [area.delete] : [])]
  })
}

it('every permission is used by a screen', () => {
  const plain = places.flatMap((place) => (place.area ? plainActs(place.area) : []))
  const all = Object.values(areas).flatMap((area) => [area.list, area.create, area.read, area.update, area.delete])
  const own = [...all, ...Object.values(areas).flatMap((area) => area.acts)].filter((act) => act && quoted(act.path))
  const used = new Set([...plain, ...own, ...named()].map((act) => act?.permission))
  expect(permissions.filter((permission) => !used.has(permission))).toEqual(unused)
})
