import type { Failure } from '@shop/web/answer'
import { mount } from '@vue/test-utils'
import { beforeAll, expect, it } from 'vitest'
import { defineComponent, nextTick, reactive } from 'vue'
import { useForm } from '@shop/web/form'
import { ready } from '@/i18n'

beforeAll(() => ready)

/** A form with two fields; a third one is part of the request and not shown. */
function begin() {
  const values = reactive({ mobile: '', city: '', picture: '' })
  let form: ReturnType<typeof useForm<'mobile' | 'city' | 'picture'>> | undefined
  const page = mount(
    defineComponent({
      setup() {
        form = useForm(() => ({ ...values }), { errno: { 705: 'mobile' }, members: { areaCode: 'city' } })
        return form
      },
      template: `<form :ref="form">
        <input id="mobile" :aria-invalid="!!errors.mobile" /><input id="city" :aria-invalid="!!errors.city" />
      </form>`,
    }),
    { attachTo: document.body },
  )
  if (!form) throw new Error('the form was not set up')
  return { page, form, values }
}

const refused = (errno: number, field?: string): Failure => ({
  kind: 'refused',
  text: 'The value is wrong',
  errno,
  ...(field ? { field } : {}),
})

it.each([
  ['the member of the same name', refused(402, 'mobile'), 'mobile'],
  ['another member of the field', refused(402, 'areaCode'), 'city'],
  ['the number of the error', refused(705), 'mobile'],
] as const)('marks a refused field by %s', async (_, failure, field) => {
  const { form, page, values } = begin()
  await form.refuse(failure)
  expect(form.errors.value).toEqual({ [field]: 'The value is wrong' })
  expect(form.problem.value).toBe('')
  expect(document.activeElement?.id).toBe(field)
  values[field] = 'changed'
  await nextTick()
  expect(form.errors.value[field]).toBeUndefined()
  page.unmount()
})

it.each([
  ['a member without a field', refused(402, 'version')],
  ['a field that is not shown', refused(402, 'picture')],
  ['no member', refused(402)],
] as const)('shows a refusal of %s as a problem of the whole form', async (_, failure) => {
  const { form, page } = begin()
  await form.refuse(failure)
  expect(form.problem.value).toBe('The value is wrong')
  page.unmount()
})
