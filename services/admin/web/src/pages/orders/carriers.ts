import { useKept } from '@shop/web/kept'
import { useLoad } from '@shop/web/load'
import { computed } from 'vue'
import { api } from '@/api'

/** The carriers to choose from, and the one that was chosen last on this device. */
export function useCarriers() {
  const { data, failure } = useLoad((signal) => api.get('/admin/order/channel', undefined, { signal }))
  const kept = useKept('shop.admin.carrier', (raw) => (typeof raw === 'string' ? raw : ''))
  const carriers = computed(() => data.value ?? [])
  const last = computed(() => kept.value.value || (carriers.value[0]?.code ?? ''))
  const keep = (code: string) => kept.change(() => code)
  const nameOf = (code: string | null | undefined) => carriers.value.find((c) => c.code === code)?.name ?? code ?? ''
  return { carriers, failure, last, keep, nameOf }
}
