import { expect, test } from 'vitest'
import { type CaseLine, caseSteps, worthOf } from '@/pages/aftersale/case'

const line = (more: Partial<CaseLine>) => ({ number: 3, paid: 17.24, returned: 0, exchanged: 0, ...more }) as CaseLine

test('pieces are worth their part of what was paid, and the last ones what rounding leaves', () => {
  expect(worthOf(line({}), 1, 2)).toBe(5.74)
  expect(worthOf(line({}), 3, 2)).toBe(17.24)
  expect(worthOf(line({ returned: 1 }), 2, 2)).toBe(11.5)
  expect(worthOf(line({ returned: 1, exchanged: 1 }), 1, 2)).toBe(5.75)
  expect(worthOf(line({ paid: 1000 }), 1, 0)).toBe(333)
  expect(worthOf(line({ paid: 1000, returned: 2 }), 1, 0)).toBe(334)
})

test('an exchange ends with what was sent', () => {
  const steps = caseSteps({ pictures: [], status: 6, type: 3, handleTime: 'then' } as Parameters<typeof caseSteps>[0])
  expect(steps.map((s) => s.name)).toEqual(['requested', 'accepted', 'exchanged'])
  expect(steps.at(-1)).toMatchObject({ at: 'then', reached: true })
})
