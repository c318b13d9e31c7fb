import { computed, ref, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'

/** Which of a few lists a page shows, as its address says in `tab`; the first needs no word. For pages kept by path. */
export function useTab<V extends string>(values: readonly [V, ...V[]]) {
  const route = useRoute()
  const router = useRouter()
  const path = route.path
  const named = (): V => values.find((value) => value === route.query.tab) ?? values[0]
  const at = ref(named())
  watch(
    () => route.query.tab,
    () => {
      if (route.path === path) at.value = named()
    },
  )
  return computed<V>({
    get: () => at.value as V,
    set: (value) => void router.replace({ query: { ...route.query, tab: value === values[0] ? undefined : value } }),
  })
}
