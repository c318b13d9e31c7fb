import type { Failure } from '@shop/web/answer'
import { nextTick, shallowRef, watch, type ComponentPublicInstance } from 'vue'
import { sentence } from './failure'

/** Which field a refusal of the service is about: by its number, or by the word that its sentence begins with. */
export interface Belongs<F extends string> {
  errno?: Partial<Record<number, F>>
  named?: Partial<Record<F, readonly string[]>>
}

/** The form of a mobile number: asking the service about anything else is pointless. */
export function isMobile(text: string): boolean {
  return /^1\d{10}$/.test(text)
}

/**
 * What is wrong in a form, field by field, with the focus on the first of them. The form is the element or the
 * part with `:ref="form"`; a field that is changed is no longer wrong.
 */
export function useForm<F extends string>(values: () => Record<F, unknown>, belongs: Belongs<NoInfer<F>> = {}) {
  const errors = shallowRef<Partial<Record<F, string>>>({})
  /** What is wrong with no field in particular. */
  const problem = shallowRef('')
  let element: HTMLElement | undefined
  /** For the form: `:ref="form"`. */
  const form = (at: Element | ComponentPublicInstance | null) => {
    const found: unknown = at && '$el' in at ? at.$el : at
    element = found instanceof HTMLElement ? found : undefined
  }

  for (const field of Object.keys(values()) as F[]) {
    watch(
      () => values()[field],
      () => {
        problem.value = ''
        if (errors.value[field] !== undefined) errors.value = { ...errors.value, [field]: undefined }
      },
    )
  }

  async function show(found: Partial<Record<F, string>>): Promise<void> {
    errors.value = found
    await nextTick()
    element?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }

  /** Marks what is wrong; true where nothing is. The rules have a sentence, or false where the field is right. */
  function check(rules: Partial<Record<F, string | false>>): boolean {
    const found: Partial<Record<F, string>> = {}
    for (const [field, rule] of Object.entries(rules) as [F, string | false][]) if (rule) found[field] = rule
    problem.value = ''
    void show(found)
    return Object.keys(found).length === 0
  }

  /** Shows what the service has refused at the field that it is about. */
  function refuse(failure: Failure): void {
    if (failure.kind === 'cancelled' || failure.kind === 'session') return
    const field = fieldOf(failure)
    if (field) void show({ [field]: sentence(failure) } as Partial<Record<F, string>>)
    else problem.value = sentence(failure)
  }

  function fieldOf(failure: Failure): F | undefined {
    if (failure.kind !== 'refused') return undefined
    const known = failure.errno === undefined ? undefined : belongs.errno?.[failure.errno]
    const text = failure.text.replace(/^缺少|^the /, '')
    const named = Object.entries(belongs.named ?? {}) as [F, readonly string[]][]
    return known ?? named.find(([, words]) => words.some((word) => text.startsWith(word)))?.[0]
  }
  return { form, errors, problem, check, refuse }
}
