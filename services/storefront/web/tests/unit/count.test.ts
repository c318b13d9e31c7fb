import { expect, it } from 'vitest'
import { count, percentOff, written } from '@/composables/count'

it.each([
  ['15.4k', '1.5万', '15.4K'],
  ['9.9k', '9900', '9.9K'],
  ['1.2万', '1.2万', '12K'],
  ['803', '803', '803'],
  ['许多', '许多', '许多'],
  ['', '', ''],
])('writes the %s of staff as people do', (text, chinese, english) => {
  expect([written(text, 'zh-CN'), written(text, 'en')]).toEqual([chinese, english])
})

it('writes large numbers short', () => {
  expect([count(999, 'zh-CN'), count(12_345, 'zh-CN'), count(12_345, 'en')]).toEqual(['999', '1.2万', '12.3K'])
})

it('says how much lower a price is, where that is worth saying', () => {
  expect([percentOff(79, 99), percentOff(80, 100), percentOff(99, 100), percentOff(5, 5), percentOff(9, 5)]).toEqual([
    20, 20, 0, 0, 0,
  ])
})
