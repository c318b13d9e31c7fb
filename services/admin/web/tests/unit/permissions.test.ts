// @vitest-environment node
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { areas, permissions } from '@/api/console'
import { plainActs } from '@/console/acts'
import { places } from '@/console/places'
import { filesBelow } from '../../../../../pkg/web/build/compressed'

/** What no screen uses yet. The list is exact: what a new screen uses goes out of it. */
const unused = [
  'admin:order:ship',
  'admin:order:reship',
  'admin:order:refund',
  'admin:order:reject',
  'admin:order:pay',
  'admin:aftersale:recept',
  'admin:aftersale:reject',
  'admin:aftersale:refund',
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

it('every permission is used by a screen', () => {
  const plain = places.flatMap((place) => (place.area ? plainActs(place.area) : []))
  const all = Object.values(areas).flatMap((area) => [area.list, area.create, area.read, area.update, area.delete])
  const own = [...all, ...Object.values(areas).flatMap((area) => area.acts)].filter((act) => act && quoted(act.path))
  const used = new Set([...plain, ...own].map((act) => act?.permission))
  expect(permissions.filter((permission) => !used.has(permission))).toEqual(unused)
})
