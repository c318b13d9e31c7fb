import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nextTick } from 'vue'
import { createMemoryHistory, createRouter } from 'vue-router'
import { addressLine } from '@/composables/addressLine'
import { draftsOf, useDraft } from '@shop/web/draft'
import { i18n } from '@/i18n'
import { bodyOf, linesHere, newAddress, withAddress } from '@/pages/account/address'
import { backPath } from '@/pages/account/back'

const component = { template: '<i />' }
const router = createRouter({
  history: createMemoryHistory(),
  routes: [
    { path: '/', name: 'home', component },
    { path: '/checkout', name: 'checkout', component },
    { path: '/login', name: 'login', component },
    { path: '/:rest(.*)*', name: 'missing', component },
  ],
})

describe('the way back from the login', () => {
  it('leads to pages of the shop', () => {
    expect(backPath(router, '/checkout?cart=5')).toBe('/checkout?cart=5')
  })

  it.each(['https://example.com/', '//example.com/', '/\\example.com', 'checkout', '/login?back=/', '/nowhere', '', 5])(
    'does not lead to %s',
    (wanted) => expect(backPath(router, wanted)).toBeUndefined(),
  )

  it('takes the chosen address along', () => {
    const target = withAddress(router, '/checkout?cart=5&address=1', 7)
    expect(router.resolve(target).fullPath).toBe('/checkout?cart=5&address=7')
  })
})

it('sends of an address what may be written', () => {
  const read = { ...newAddress, id: 7, name: '王小明', isDefault: true }
  const times = { addTime: '2030-01-02 00:00:00', updateTime: '2030-01-02 00:00:00' }
  expect(bodyOf({ ...read, ...times, userId: 3, deleted: false })).toEqual(read)
})

describe('outside China', () => {
  beforeEach(() => void (document.documentElement.dataset.country = 'JP'))
  afterEach(() => void delete document.documentElement.dataset.country)

  it('the region of an address is written', () => {
    const written = ['province', 'city', 'county', 'addressDetail', 'postalCode']
    expect(linesHere().map(([member]) => member)).toEqual(['name', 'tel', ...written])
    delete document.documentElement.dataset.country
    expect(linesHere().map(([member]) => member)).toEqual(['name', 'tel', 'addressDetail'])
  })

  it('an address has its postal code, and nothing that is empty', () => {
    const parts = { province: '東京都', city: '渋谷区', county: '', addressDetail: '神南 1-2-3' }
    expect(addressLine({ ...parts, postalCode: '150-0041' })).toBe('東京都, 渋谷区, 神南 1-2-3, 150-0041')
    expect(addressLine({ ...parts, postalCode: '' })).toBe('東京都, 渋谷区, 神南 1-2-3')
  })
})

describe('a draft', () => {
  beforeEach(() => sessionStorage.clear())
  afterEach(() => sessionStorage.clear())
  const start = { text: '', mobile: '' }

  it('is kept until it is sent', async () => {
    useDraft('f', start).values.text = 'typed'
    await nextTick()
    const again = useDraft('f', start)
    expect(again.values).toEqual({ text: 'typed', mobile: '' })
    again.forget()
    expect(useDraft('f', start).values.text).toBe('')
  })

  it('does not give way to what the service has', async () => {
    useDraft('f', start).values.text = 'typed'
    await nextTick()
    const again = useDraft('f', start)
    again.begin({ text: 'stored', mobile: '13812345678' })
    expect(again.values.text).toBe('typed')
  })

  it('is none where nothing was changed', async () => {
    const draft = useDraft('f', start)
    draft.begin({ mobile: '13812345678' })
    await nextTick()
    expect(sessionStorage.length).toBe(0)
  })

  it('is not shown to the next shopper', async () => {
    draftsOf('one')
    useDraft('f', start).values.text = 'typed'
    await nextTick()
    draftsOf('one')
    expect(useDraft('f', start).values.text).toBe('typed')
    draftsOf('another')
    expect(useDraft('f', start).values.text).toBe('')
  })
})

describe('an address in one line', () => {
  const capital = {
    province: '北京市',
    city: '北京市',
    county: '东城区',
    addressDetail: '1 Long Street',
    postalCode: '',
  }

  it.each([
    ['zh-CN', '北京市北京市东城区 1 Long Street'],
    ['en', '北京市, 东城区, 1 Long Street'],
  ])('is joined as %s does', (language, line) => {
    const before = i18n.global.locale.value
    i18n.global.locale.value = language
    expect(addressLine(capital)).toBe(line)
    i18n.global.locale.value = before
  })
})
