import { expect, it } from 'vitest'
import { alwaysFree, missingForFree } from '@/composables/freight'

const terms = { freightPrice: 8, freightFrom: 88 }
const plain = [{ freightId: 0 }]

it('says what is missing for free delivery', () => {
  expect(missingForFree(76, plain, terms)).toBe(12)
  expect(missingForFree(75.9, plain, terms)).toBe(12.1)
  expect(missingForFree(88, plain, terms)).toBe(0)
  expect(missingForFree(300, plain, terms)).toBe(0)
})

it('does not know it of goods that are charged by the address, nor before it has the terms', () => {
  expect(missingForFree(10, [{ freightId: 0 }, { freightId: 3 }], terms)).toBeUndefined()
  expect(missingForFree(10, [{}], terms)).toBeUndefined()
  expect(missingForFree(10, plain, undefined)).toBeUndefined()
  expect(missingForFree(0, [], terms)).toBeUndefined()
})

it('knows a shop that delivers free', () => {
  expect([terms, { freightPrice: 0, freightFrom: 88 }, { freightPrice: 8, freightFrom: 0 }].map(alwaysFree)).toEqual([
    false,
    true,
    true,
  ])
  expect(missingForFree(1, plain, { freightPrice: 0, freightFrom: 88 })).toBe(0)
})
