import type { Act, Area } from './shape'

/** What an area offers for many records at once: it takes their ids alone. */
export function batchActs(area: Area): Act[] {
  return area.acts.filter((act) => act.method === 'POST' && act.fields.length === 1 && act.fields[0]?.name === 'ids')
}

/** The file of a list: it takes filters of the list, and no others. */
export function exportOf(area: Area): Act | undefined {
  const filters = new Set(area.list?.fields.map((field) => field.name))
  return area.acts.find((act) => act.path.endsWith('/export') && act.fields.every((field) => filters.has(field.name)))
}

/** Every operation that the plain screen of an area uses. */
export function plainActs(area: Area): Act[] {
  const { list, create, read, update, delete: removes } = area
  return [list, create, read, update, removes, exportOf(area), ...batchActs(area)].filter((act) => act !== undefined)
}
