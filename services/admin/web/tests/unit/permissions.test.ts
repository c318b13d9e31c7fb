// @vitest-environment node
import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { areas, permissions } from '@/api/console'
import { plainActs } from '@/console/acts'
import { places } from '@/console/places'
import type { Act, Area } from '@/console/shape'
import { filesBelow } from '../../../../../pkg/web/build/compressed'

const src = fileURLToPath(new URL('../../src/', import.meta.url))
const files = filesBelow(src)
  .filter((path) => /\.(vue|ts)$/.test(path) && !path.includes('/api/'))
  .map((path) => ({ path, folder: dirname(path), text: readFileSync(path, 'utf8') }))
const sources = files.map(({ text }) => text)
const quoted = (text: string) => sources.some((source) => source.includes(`'${text}'`))

const verbs = ['list', 'create', 'read', 'update', 'delete'] as const

/** The operations that a page names by their area alone: areas.order?.update, listed('order').list. */
function direct(): (Act | undefined)[] {
  const of = /(?:areas\.(\w+)\??|listed\('([\w-]+)'\))\.(list|create|read|update|delete)\b/g
  return sources.flatMap((source) =>
    [...source.matchAll(of)].map(([, known, listed, verb]) => areas[known ?? listed ?? '']?.[verb as 'create']),
  )
}

interface Use {
  area: Area
  text: string
}

/** The files that work with one area under a name of their own, which they declare or import from beside them. */
function uses(): Use[] {
  return files.flatMap(({ path, folder, text }) => {
    const [, name, id] = /const (\w+) = listed\('([\w-]+)'\)\n/.exec(text) ?? []
    const area = areas[id ?? '']
    if (!name || !area) return []
    const imports = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from './${basename(path, '.ts')}'`)
    const all = files.filter((file) => file.path === path || (file.folder === folder && imports.test(file.text)))
    return all.map((file) => ({ area, text: file.text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), 'area') }))
  })
}

/** The operations that these files take from their area: area.update, actOf(area, 'ship'). */
function named({ area, text }: Use): (Act | undefined)[] {
  const acts = [...text.matchAll(/actOf\(area, '([\w-]+)'\)/g)].map(([, verb]) =>
    area.acts.find(({ path }) => path.endsWith(`/${verb}`)),
  )
  return [...acts, ...verbs.filter((verb) => new RegExp(`\\barea\\.${verb}\\b`).test(text)).map((verb) => area[verb])]
}

/** The operations on a record that is shown as the plain page does: those whose outcome the page takes. */
function shownPlainly({ area, text }: Use): (Act | undefined)[] {
  if (!text.includes('<RecordPanel')) return []
  return [
    area.read,
    text.includes("open: 'new'") ? area.create : undefined,
    text.includes('@edit=') ? area.update : undefined,
    text.includes('@removed=') ? area.delete : undefined,
  ]
}

/** Every operation of the areas. */
const all = Object.values(areas)
  .flatMap((area) => [area.list, area.create, area.read, area.update, area.delete, ...area.acts])
  .filter((act) => act !== undefined)

/** The operations that a screen uses. */
function used(): Act[] {
  const plain = places.flatMap((place) => (place.area ? plainActs(place.area) : []))
  const own = all.filter((act) => quoted(act.path))
  const bound = uses().flatMap((use) => [...named(use), ...shownPlainly(use)])
  return [...plain, ...own, ...direct(), ...bound].filter((act) => act !== undefined)
}

it('every permission is used by a screen', () => {
  const held = new Set(used().map((act) => act.permission))
  expect(permissions.filter((permission) => !held.has(permission))).toEqual([])
})

/** The operations that no screen uses, and why. */
const leftOut: Record<string, string> = {
  '/admin/auth/401': 'what older consoles are sent to without a session',
  '/admin/auth/403': 'what older consoles are sent to without a right',
  '/admin/auth/index': 'answers whether somebody is logged in; the console asks for who it is',
  '/admin/auth/kaptcha': 'its picture is not checked',
  '/admin/category/l1': 'the tree of categories has the first level',
  '/admin/index/index': 'answers that the service is there',
  '/admin/region/clist': 'the page of regions reads the whole tree at once',
}

it('every operation of the documents is used by a screen, or says why not', () => {
  const document = fileURLToPath(new URL('../../../../../docs/api/admin.json', import.meta.url))
  const { paths } = JSON.parse(readFileSync(document, 'utf8')) as { paths: Record<string, unknown> }
  const taken = new Set(used().map((act) => act.path))
  const unused = Object.keys(paths).filter((path) => !taken.has(path) && !quoted(path))
  expect(unused).toEqual(Object.keys(leftOut))
})
