import { expect, it } from 'vitest'
import { nextCoupon } from '@/pages/buy/nextCoupon'

const usable = (discount: string) => ({ discount })
const short = (discount: string, missing: string) => ({ discount, missing, reason: 'minimum' })

it('names the nearest coupon that takes off more than one that can be used', () => {
  expect(nextCoupon([usable('5.00'), short('20.00', '50.00'), short('10.00', '9.50')])).toEqual({
    missing: '9.50',
    discount: '10.00',
  })
  expect(nextCoupon([short('10.00', '5.00'), short('12.00', '5.00')])?.discount).toBe('12.00')
})

it('names none that takes off no more, nor one that more goods do not help', () => {
  expect(nextCoupon([usable('10.00'), short('10.00', '1.00')])).toBeUndefined()
  expect(nextCoupon([{ discount: '10.00', reason: 'goods' }])).toBeUndefined()
  expect(nextCoupon([])).toBeUndefined()
})
