import { mount } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { beforeAll, expect, it } from 'vitest'
import { codeOf, mobileOf } from '@/composables/number'
import { i18n, ready } from '@/i18n'
import CodedMobile from '@/pages/account/CodedMobile.vue'

beforeAll(() => ready)

it.each([
  '13812345678',
  ' 138 1234 5678 ',
  '138-1234-5678',
  '+86 138 1234 5678',
  '(+86) 138.1234.5678',
  '0086-13812345678',
  '8613812345678',
  '１３８１２３４５６７８',
  '\u202d138\u00a01234\u00a05678\u202c',
])('reads the mobile number of %j', (text) => expect(mobileOf(text)).toBe('13812345678'))

it.each(['', '1381234567', '138123456789', '23812345678', '+447700900123', '1381234567x'])(
  'reads no mobile number of %j',
  (text) => expect(mobileOf(text)).toBe(''),
)

it('leaves numbers outside China to the service', () => {
  document.documentElement.dataset.country = 'JP'
  expect(mobileOf('090-1234-5678')).toBe('09012345678')
  expect(mobileOf('+81 (0)90 1234 5678')).toBe('+8109012345678')
  for (const text of ['', '13', 'tea', '+']) expect(mobileOf(text)).toBe('')
  delete document.documentElement.dataset.country
})

it('reads codes', () => {
  expect(codeOf(' 123 456\n')).toBe('123456')
  expect(codeOf('１２３-456\u200b')).toBe('123456')
})

it('takes all of what is pasted', () => {
  const form = mount(CodedMobile, {
    props: { label: 'Mobile', errors: {}, mobile: '', code: '' },
    global: { plugins: [i18n, createPinia()] },
  })
  const fields = form.findAll('input').map((field) => field.element)
  expect(fields.map((field) => field.maxLength)).toEqual([-1, -1])
})
