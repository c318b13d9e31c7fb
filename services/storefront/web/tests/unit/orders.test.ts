import { expect, it } from 'vitest'
import type { Schema } from '@/api'
import { caseSteps } from '@/pages/aftersale/case'
import { stepsOf } from '@/pages/orders/steps'

const order = (fields: Partial<Schema<'order.Info'>>) =>
  ({ addTime: '2030-01-01 10:00:00', ...fields }) as Schema<'order.Info'>
const names = (steps: readonly { name: string; reached: boolean }[]) =>
  steps.map((step) => (step.reached ? step.name : `(${step.name})`)).join(' ')

it.each([
  [{ orderStatus: 101 }, 'placed (paid) (shipped) (received)'],
  [{ orderStatus: 102, endTime: 't' }, 'placed cancelled'],
  [{ orderStatus: 103, endTime: 't' }, 'placed lapsed'],
  [{ orderStatus: 202, payTime: 't' }, 'placed paid refunding'],
  [{ orderStatus: 203, payTime: 't', refundTime: 't' }, 'placed paid refunded'],
  [{ orderStatus: 301, payTime: 't', shipTime: 't' }, 'placed paid shipped (received)'],
  [{ orderStatus: 402, payTime: 't', shipTime: 't', confirmTime: 't' }, 'placed paid shipped received'],
  [{ orderStatus: 999 }, 'placed (paid) (shipped) (received)'],
])('%j has its way', (fields, way) => expect(names(stepsOf(order(fields)))).toBe(way))

it.each([
  [1, 'requested (accepted) (refunded)'],
  [2, 'requested accepted (refunded)'],
  [3, 'requested accepted refunded'],
  [4, 'requested rejected'],
  [5, 'requested withdrawn'],
])('a case in state %i has its way', (status, way) => expect(names(caseSteps({ status, pictures: [] }))).toBe(way))
