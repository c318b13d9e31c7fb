import { sharedAct } from '../parts/acts'
import type { Act } from '@/console/shape'

const id = { zh: '编号', en: 'Id' }
const note = {
  name: 'note',
  label: { zh: '处理说明', en: 'What was done' },
  kind: 'text',
  required: true,
  max: 127,
} as const

function settling(path: string, button: Act['button'], noted = true): Act {
  const act = sharedAct('POST', path, button)
  return { ...act, fields: [{ name: 'id', label: id, kind: 'id', required: true }, ...(noted ? [note] : [])] }
}

/** The list of open cases, whose permission is that of refunds. */
export const openCases = sharedAct('GET', '/admin/order/cases', { zh: '查询', en: 'Query' })

/** The operations that settle a case by itself, by their paths; the others belong to its order. */
export const settlements: Readonly<Record<string, Act>> = Object.fromEntries(
  [
    settling('/admin/order/case/settle', { zh: '已处理', en: 'Mark as settled' }),
    settling('/admin/order/case/repay', { zh: '已线下退款', en: 'Refunded by hand' }),
    settling('/admin/order/case/retry', { zh: '重试', en: 'Retry' }, false),
    settling('/admin/order/case/dismiss', { zh: '不再处理', en: 'Dismiss' }),
  ].map((act) => [act.path, act]),
)
