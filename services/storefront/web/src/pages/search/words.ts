import { useKept } from '@shop/web/kept'

const most = 20

const kept = useKept('shop.searches', (raw) =>
  Array.isArray(raw) ? raw.filter((w): w is string => typeof w === 'string').slice(0, most) : [],
)

/** What a guest has searched for on this device, the newest first. The service keeps it for who is logged in. */
export const guestWords = kept.value

/** Remembers a word for a guest. */
export function remember(word: string): void {
  kept.change((words) => [word, ...words.filter((w) => w !== word)].slice(0, most))
}

/** Forgets them all. */
export function forget(): void {
  kept.change(() => undefined)
}
