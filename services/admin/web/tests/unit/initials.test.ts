import { expect, it } from 'vitest'
import { initials } from '@/shell/initials'

it('the initials are those that people type', () => {
  expect(initials('订单管理')).toBe('ddgl')
  expect(initials('商品评论')).toBe('sppl')
  expect(initials('VIP 用户')).toBe('vip yh')
})
