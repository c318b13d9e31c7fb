import { expect, it } from 'vitest'
import { flat, treeOf } from '@/pages/region/tree'
import { covered, nameOf, namesOf, toggled } from '@/plain/regions'

const county = (id: number, name: string, code: number) => ({ id, name, code, type: 3 })
const city = (id: number, name: string, code: number, children: ReturnType<typeof county>[]) => ({
  ...{ id, name, code, type: 2 },
  children,
})
const tree = treeOf([
  {
    ...{ id: 1, name: '浙江省', code: 330000, type: 1 },
    children: [city(2, '杭州市', 330100, [county(3, '西湖区', 330106), county(4, '拱墅区', 330105)])],
  },
  {
    ...{ id: 5, name: '北京市', code: 110000, type: 1 },
    children: [city(6, '北京市', 110100, [county(7, '东城区', 110101)])],
  },
])
const at = (code: number) => {
  const node = flat(tree).find((each) => each.code === code)
  if (!node) throw new Error(`no region ${code}`)
  return node
}

it('names a region with those that it lies in', () => {
  expect(nameOf(at(330106))).toBe('浙江省杭州市西湖区')
  expect(nameOf(at(110101))).toBe('北京市东城区')
  expect(namesOf(tree, ['330100', '999999'])).toEqual([
    { code: '330100', name: '浙江省杭州市' },
    { code: '999999', name: '999999' },
  ])
})

it('a region takes the place of those that lie in it', () => {
  const counties = toggled(toggled(['110000'], at(330106)), at(330105))
  expect(counties).toEqual(['110000', '330106', '330105'])
  expect(toggled(counties, at(330000))).toEqual(['110000', '330000'])
  expect(toggled(['330000'], at(330000))).toEqual([])
})

it('what lies in a chosen region is chosen with it', () => {
  expect(covered(['330000'], at(330106))).toBe(true)
  expect(covered(['330000'], at(330000))).toBe(false)
  expect(covered(['330106'], at(330105))).toBe(false)
})
