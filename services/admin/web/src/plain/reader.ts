import type { Page } from '@shop/web/api'
import type { Row } from '@/console/call'
import type { Act, Area } from '@/console/shape'
import { useSession } from '@/stores/session'

/** The operation that answers a record of an area by its id: its own, or its list, where that can be asked for one. */
export function readerOf(area: Area): Act | undefined {
  const session = useSession()
  const list = area.list?.byId ? area.list : undefined
  return [area.read, list].find((act) => act && session.may(act.permission))
}

/** The record in the answer of such an operation, which may have others beside it. */
export function recordIn(data: unknown): Row | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  if ('id' in data) return data as Row
  const found = 'list' in data ? (data as Page<Row>).list : Object.values(data)
  return found.find((each): each is Row => typeof each === 'object' && each !== null && 'id' in each)
}
