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

  /** To be called when something was typed. */
  function ask(): void {
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

/** A text in pieces, of which every other one is what was typed, in any case. */
export function marked(text: string, typed: string): string[] {
  const word = typed.trim().toLowerCase()
  if (!word) return [text]
  const pieces: string[] = []
  let from = 0
  for (let at = text.toLowerCase().indexOf(word); at >= 0; at = text.toLowerCase().indexOf(word, from)) {
    pieces.push(text.slice(from, at), text.slice(at, at + word.length))
    from = at + word.length
  }
  return [...pieces, text.slice(from)]
}
