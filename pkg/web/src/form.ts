import type { Failure } from './answer'
import { nextTick, shallowRef, watch, type ComponentPublicInstance } from 'vue'
import { sentence } from './failure'

/**
 * Which field a refusal is about: by its number, or by the member of the request that the answer names, where that is
 * not called as the field.
 */
export interface Belongs<F extends string> {
  errno?: Partial<Record<number, F>>
  members?: Partial<Record<string, F>>
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

  /** Marks fields and leads to the first of them; false where the form shows none of them. */
  async function show(found: Partial<Record<F, string>>): Promise<boolean> {
    errors.value = found
    await nextTick()
    const first = element?.querySelector<HTMLElement>('[aria-invalid="true"]')
    first?.focus()
    return first instanceof HTMLElement
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
  async function refuse(failure: Failure): Promise<void> {
    if (failure.kind === 'cancelled' || failure.kind === 'session') return
    const field = fieldOf(failure)
    const text = sentence(failure)
    const marked = field !== undefined && (await show({ [field]: text } as Partial<Record<F, string>>))
    if (!marked) problem.value = text
  }

  function fieldOf({ kind, errno = 0, field = '' }: Failure): F | undefined {
    if (kind !== 'refused') return undefined
    const own = Object.keys(values()).find((name) => name === field) as F | undefined
    return belongs.errno?.[errno] ?? belongs.members?.[field] ?? own
  }
  return { form, errors, problem, check, refuse }
}
