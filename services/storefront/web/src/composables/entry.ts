import { shallowRef, watch, type Ref } from 'vue'
import { useRoute, type LocationQuery, type RouteParams } from 'vue-router'

/** The place of the page that is shown in the history of the tab. Replacing its address does not change it. */
export function entry(): number {
  return Number((history.state as { position?: number } | null)?.position ?? 0)
}

/**
 * The address of a page that is kept by its entry in the history (`meta.keep: 'entry'`): it follows what the page replaces
 * it by, and stays as it is while another page is shown.
 */
export function useOwnAddress(): Ref<{ params: RouteParams; query: LocationQuery }> {
  const route = useRoute()
  const { name } = route
  const at = entry()
  const own = shallowRef({ params: route.params, query: route.query })
  watch(
    () => route.fullPath,
    () => {
      if (route.name === name && entry() === at) own.value = { params: route.params, query: route.query }
    },
    { flush: 'sync' },
  )
  return own
}
