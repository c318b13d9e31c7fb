import { useKept } from '@shop/web/kept'
import { defineStore } from 'pinia'
import { computed, ref, watchEffect } from 'vue'

export const themes = ['auto', 'light', 'dark'] as const
export const densities = ['comfortable', 'compact'] as const

/** How new orders are told of; each does what those before it do. */
export const alerts = ['off', 'badge', 'sound', 'notice'] as const

interface Look {
  theme: (typeof themes)[number]
  density: (typeof densities)[number]
  /** Whether single keys, such as j and k, act. */
  keys: boolean
  alert: (typeof alerts)[number]
}

function read(raw: unknown): Look {
  const given = (raw ?? {}) as Partial<Look>
  return {
    theme: themes.find((t) => t === given.theme) ?? 'auto',
    density: densities.find((d) => d === given.density) ?? 'comfortable',
    keys: given.keys !== false,
    alert: alerts.find((a) => a === given.alert) ?? 'off',
  }
}

/** How the console looks on this device. */
export const useLook = defineStore('look', () => {
  const kept = useKept<Look>('shop.admin.look', read)
  const system = window.matchMedia('(prefers-color-scheme: dark)')
  const night = ref(system.matches)
  system.addEventListener('change', (event) => (night.value = event.matches))

  const dark = computed(() => (kept.value.value.theme === 'auto' ? night.value : kept.value.value.theme === 'dark'))
  watchEffect(() => {
    document.documentElement.classList.toggle('dark', dark.value)
    document.documentElement.dataset.density = kept.value.value.density
  })
  const set = (part: Partial<Look>) => kept.change((now) => ({ ...now, ...part }))
  return { look: kept.value, dark, set }
})
