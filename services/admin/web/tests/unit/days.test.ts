import { expect, it } from 'vitest'
import { csvOf, everyDay } from '@/pages/stat/columns'

it('a day without data is drawn as nothing', () => {
  expect(everyDay([])).toEqual([])
  const days = [
    { day: '2026-03-01', orders: 2 },
    { day: '2026-02-27', orders: 1 },
  ]
  expect(everyDay(days)).toEqual([days[1], { day: '2026-02-28' }, days[0]])
})

it('very many days are drawn as they come', () => {
  const days = [
    { day: '2020-01-01', orders: 2 },
    { day: '2026-02-27', orders: 1 },
  ]
  expect(everyDay(days)).toEqual(days)
})

it('a file keeps what would end a cell', () => {
  expect(csvOf(['a', 'b'], [[1, 'x,"y"']])).toBe('\uFEFFa,b\r\n1,"x,""y"""\r\n')
})
