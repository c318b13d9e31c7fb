import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, it } from 'vitest'
import { createMemoryHistory, createRouter } from 'vue-router'
import { keepStill } from '@/composables/dialogs'
import ToastHost from '@/shell/ToastHost.vue'
import { useToasts } from '@shop/web/toasts'

const component = { template: '<i />' }
const shown = () => useToasts().toasts.map((toast) => toast.text)

beforeEach(() => setActivePinia(createPinia()))

it('takes messages of a page along that led to the next one, and no others', async () => {
  const routes = ['/', '/form', '/list'].map((path) => ({ path, component }))
  const router = createRouter({ history: createMemoryHistory(), routes })
  await router.push('/form')
  const host = mount(ToastHost, { global: { plugins: [router] } })
  document.dispatchEvent(new Event('pointerdown'))
  useToasts().success('saved')
  await router.push('/list')
  expect(shown()).toEqual(['saved'])
  document.dispatchEvent(new Event('keydown'))
  await router.push('/list?page=2')
  expect(shown()).toEqual(['saved'])
  await router.push('/')
  expect(shown()).toEqual([])
  host.unmount()
})

it('covers the place of the scroll bar as long as a dialog is open', () => {
  const { classList, style } = document.documentElement
  Object.defineProperty(document.documentElement, 'clientWidth', { value: window.innerWidth - 15, configurable: true })
  keepStill(true)
  expect([classList.contains('still'), style.getPropertyValue('--bar')]).toEqual([true, '15px'])
  keepStill(false)
  expect(classList.contains('still')).toBe(false)
})
