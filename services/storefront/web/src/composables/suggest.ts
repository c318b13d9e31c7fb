import { useLoad } from '@shop/web/load'
import { computed, onBeforeUnmount, ref, useId, type Ref } from 'vue'
import { useRouter } from 'vue-router'
import { api, type Schema } from '@/api'

const patience = 180

/** A word to search for, or goods. */
export interface Suggestion {
  text: string
  goods?: Schema<'catalog.Summary'>
}

/** What the shop suggests while a word is typed: words, then goods; and the one of it that the arrow keys are at. */
export function useSuggestions(word: Ref<string>) {
  const id = useId()
  const at = ref(-1)
  const asked = ref('')
  const router = useRouter()
  const words = useLoad((signal) => api.get('/wx/search/helper', { keyword: asked.value, limit: 6 }, { signal }), {
    later: true,
  })
  const goods = useLoad((signal) => api.get('/wx/search/goods', { keyword: asked.value }, { signal }), {
    later: true,
  })
  const suggestions = computed((): Suggestion[] => {
    if (!word.value.trim() || !asked.value) return []
    const found = (goods.data.value ?? []).map((g) => ({ text: g.name, goods: g }))
    return [...(words.data.value ?? []).map((text) => ({ text })), ...found]
  })

  let timer: ReturnType<typeof setTimeout> | undefined

  /** To be called when something was typed. */
  function ask(): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      at.value = -1
      asked.value = word.value.trim()
      if (!asked.value) return
      void words.load()
      void goods.load()
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

  /** Opens the goods that are chosen, else searches for the word: the one chosen by keys, else what was typed. */
  function choose(
    search: (word: string) => void,
    one: Suggestion = suggestions.value[at.value] ?? { text: word.value },
  ) {
    shut()
    if (one.goods) void router.push({ name: 'goods', params: { id: one.goods.id } })
    else search(one.text)
  }
  return { id, at, asked, suggestions, choose, ask, step, shut }
}

/** A text in pieces, of which every other one is a word of what was typed, in any case. */
export function marked(text: string, typed: string): string[] {
  const words = typed.split(/\s+/).filter(Boolean)
  if (words.length === 0) return [text]
  words.sort((a, b) => b.length - a.length)
  const any = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|')
  return text.split(new RegExp(`(${any})`, 'iu'))
}
