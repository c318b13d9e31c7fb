import { areas, operations } from '@/api/console'
import type { Act, Area, ListAct } from '@/console/shape'

/** An area that a page of its own serves, with its list. */
export function listed(id: string): Area & { list: ListAct } {
  const area = areas[id]
  if (!area?.list) throw new Error(`no list of ${id}`)
  return area as Area & { list: ListAct }
}

/** An operation of an area, by the last part of its path. */
export function actOf(area: Area, name: string): Act {
  const act = area.acts.find(({ path }) => path.endsWith(`/${name}`))
  if (!act) throw new Error(`no operation ${name} of ${area.id}`)
  return act
}

/** An operation that shares the permission of another, so that no area has it. */
export function sharedAct(method: 'GET' | 'POST', path: string, button: Act['button']): Act {
  const permission = operations[`${method} ${path}`]
  if (!permission) throw new Error(`no operation ${path}`)
  return { path, method, permission, button, fields: [] }
}
