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
