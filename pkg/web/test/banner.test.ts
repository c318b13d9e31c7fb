import { expect, it } from 'vitest'
import { bannerTarget } from '../src/banner'

const goods = (id: string) => ({ to: { name: 'goods', params: { id } } })

it.each([
  ['12', goods('12')],
  ['/goods/12', goods('12')],
  ['/pages/goods/goods?id=12', goods('12')],
  ['/topics/3', { to: { name: 'topic', params: { id: '3' } } }],
  ['https://example.com/a', { href: 'https://example.com/a' }],
  ['/coupons', { to: '/coupons' }],
  ['//example.com', {}],
  ['javascript:alert(1)', {}],
  ['', {}],
])('%s leads where it should', (link, target) => expect(bannerTarget(link)).toEqual(target))
