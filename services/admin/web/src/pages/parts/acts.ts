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

/** An operation of whatever area, by its method and path. */
export function actAt(method: Act['method'], path: string): Act {
  const acts = Object.values(areas).flatMap((area) => area.acts)
  const act = acts.find((each) => each.method === method && each.path === path)
  if (!act) throw new Error(`no operation ${method} ${path}`)
  return act
}

/** An operation of an area that lists records of another kind, by its path. */
export function listAt(area: Area, path: string): ListAct {
  const list = area.lists?.find((each) => each.path === path)
  if (!list) throw new Error(`no list ${path}`)
  return list
}

/** An operation that shares the permission of another, so that no area has it. */
export function sharedAct(method: 'GET' | 'POST', path: string, button: Act['button']): Act {
  const permission = operations[`${method} ${path}`]
  if (!permission) throw new Error(`no operation ${path}`)
  return { path, method, permission, button, fields: [] }
}
