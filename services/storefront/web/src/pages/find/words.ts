import { ref } from 'vue'

const place = 'shop.searches'
const most = 20

/** What a guest has searched for on this device, the newest first. The service keeps it for who is logged in. */
export const guestWords = ref<string[]>(stored())

/** Remembers a word for a guest. */
export function remember(word: string): void {
  guestWords.value = [word, ...guestWords.value.filter((w) => w !== word)].slice(0, most)
  localStorage.setItem(place, JSON.stringify(guestWords.value))
}

/** Forgets them all. */
export function forget(): void {
  guestWords.value = []
  localStorage.removeItem(place)
}

function stored(): string[] {
  try {
    const words: unknown = JSON.parse(localStorage.getItem(place) ?? '[]')
    return Array.isArray(words) ? words.filter((w) => typeof w === 'string').slice(0, most) : []
  } catch {
    return []
  }
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
