import { useEndless } from '@shop/web/endless'
import { daysAgo, moment } from '@shop/web/time'
import { mount } from '@vue/test-utils'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openerOf, stateOf } from '@/pages/mine/group'

describe('a group', () => {
  it('is known by its opener', () => {
    expect(openerOf({ id: 7, grouponId: 0 })).toBe(7)
    expect(openerOf({ id: 9, grouponId: 7 })).toBe(7)
  })

  it('stands as its record says', () => {
    expect([0, 1, 2, 3].map((status) => stateOf({ status }))).toEqual(['unpaid', 'open', 'done', 'failed'])
  })
})

describe('the days since a time', () => {
  it('are those of the calendar of the shop', () => {
    const at = moment('2030-01-02 00:10:00')
    expect(daysAgo('2030-01-02 00:00:01', at)).toBe(0)
    expect(daysAgo('2030-01-01 23:59:59', at)).toBe(1)
    expect(daysAgo('2029-12-02 12:00:00', at)).toBe(31)
  })
})

describe('a list from which rows go away', () => {
  beforeEach(() => {
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        observe() {}
        unobserve() {}
        disconnect() {}
      },
    )
  })

  it('misses none of the rows that move up', async () => {
    const stored = Array.from({ length: 7 }, (_, n) => n)
    const limit = 3
    let list: ReturnType<typeof useEndless<number>> | undefined
    mount({
      setup() {
        list = useEndless(
          (page) => {
            const rows = stored.slice((page - 1) * limit, page * limit)
            const total = stored.length
            return Promise.resolve({ data: { list: rows, total, page, limit, pages: Math.ceil(total / limit) } })
          },
          (n) => n,
        )
        return () => null
      },
    })
    await vi.waitFor(() => expect(list?.rows.value).toEqual([0, 1, 2]), { timeout: 20_000 })
    for (const gone of [0, 2]) {
      stored.splice(stored.indexOf(gone), 1)
      list?.drop(gone)
    }
    await list?.more()
    expect(list?.rows.value).toEqual([1, 3, 4])
    await list?.more()
    expect(list?.rows.value).toEqual([1, 3, 4, 5, 6])
    expect(list?.done.value).toBe(true)
  })
})
