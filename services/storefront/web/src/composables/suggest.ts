import { useLoad } from '@shop/web/load'
import { computed, onBeforeUnmount, ref, useId, type Ref } from 'vue'
import { api } from '@/api'

const patience = 180

/** What the shop suggests while a word is typed, and the one of it that the arrow keys are at. */
export function useSuggestions(word: Ref<string>) {
  const id = useId()
  const at = ref(-1)
  const asked = ref('')
  const { data, load } = useLoad(
    (signal) => api.get('/wx/search/helper', { keyword: asked.value, limit: 10 }, { signal }),
    { later: true },
  )
  const suggestions = computed(() => (word.value.trim() && asked.value ? (data.value ?? []) : []))

  let timer: ReturnType<typeof setTimeout> | undefined

  /** To be called when something was typed. What keys had chosen was for an older text. */
  function ask(): void {
    at.value = -1
    clearTimeout(timer)
    timer = setTimeout(() => {
      at.value = -1
      asked.value = word.value.trim()
      if (asked.value) void load()
    }, patience)
  }

  /** Moves on in the list; before its first and after its last is what was typed. */
  function step(by: number): void {
    const places = suggestions.value.length + 1
    at.value = ((at.value + 1 + by + places) % places) - 1
  }

  /** Takes the suggestions away until more is typed. */
  function shut(): void {
    clearTimeout(timer)
    asked.value = ''
    at.value = -1
  }
  onBeforeUnmount(shut)

  /** The word that is meant: the suggestion that keys have chosen, else what was typed. */
  const meant = computed(() => suggestions.value[at.value] ?? word.value)
  return { id, at, asked, suggestions, meant, ask, step, shut }
}

/** A text in pieces, of which every other one is a word of what was typed, in any case. */
export function marked(text: string, typed: string): string[] {
  const words = typed.split(/\s+/).filter(Boolean)
  if (words.length === 0) return [text]
  words.sort((a, b) => b.length - a.length)
  const any = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|')
  return text.split(new RegExp(`(${any})`, 'iu'))
}
