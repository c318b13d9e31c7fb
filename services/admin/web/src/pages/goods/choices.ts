import { useLoad } from '@shop/web/load'
import { computed, watch } from 'vue'
import { api } from '@/api'
import { useSession } from '@/stores/session'

/** The categories and brands that goods can have; every operator may read these. */
export function useChoices() {
  const session = useSession()
  const { data, load } = useLoad(() => api.get('/admin/goods/catAndBrand'))
  watch(() => session.turn, load)
  const categories = computed(() => data.value?.categoryList ?? [])
  const brands = computed(() => data.value?.brandList ?? [])
  return { categories, brands, ready: computed(() => data.value !== undefined) }
}
