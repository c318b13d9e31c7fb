import { shallowRef } from 'vue'

/** The role as which an operator looks at the console. */
export interface View {
  readonly id: number
  readonly name: string
}

const key = 'shop.admin.view'

function kept(): View | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** The view of this tab. While there is one, every call names it, and the service only reads and by the role's rights. */
export const view = shallowRef<View | undefined>(kept())

/** Begins a view; the page is opened anew, so that nothing stays of what the operator may see beside it. */
export function beginView(as: View): void {
  sessionStorage.setItem(key, JSON.stringify(as))
  location.assign('/')
}

/** Ends the view in this tab. */
export function dropView(): void {
  sessionStorage.removeItem(key)
  view.value = undefined
}

/** Ends the view and opens the page anew, where the role is. */
export function endView(): void {
  const id = view.value?.id
  dropView()
  location.assign(`/sys/role?open=${id}`)
}
