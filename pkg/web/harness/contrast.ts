/** The colours of a style by their names. */
export function colours(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/--(c-[\w-]+): (#[0-9a-f]{6})/g)].map((m) => [m[1], m[2]]))
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((i) => {
    const c = parseInt(hex.slice(i, i + 2), 16) / 255
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** The contrast of two colours, from 1 to 21. */
export function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (high + 0.05) / (low + 0.05)
}

const grounds = ['c-page', 'c-card', 'c-sunk']
/** Text and its ground, frames and what is around them, with the contrast that WCAG 2.2 AA asks for. */
export const pairs: [string, string, number][] = [
  ...['c-ink', 'c-ink-2', 'c-ink-3', 'c-accent'].flatMap((c) =>
    grounds.map((g): [string, string, number] => [c, g, 4.5]),
  ),
  ['c-accent', 'c-soft', 4.5],
  ['c-ink-2', 'c-soft', 4.5],
  ['c-on-fill', 'c-fill', 4.5],
  ['c-on-fill', 'c-fill-2', 4.5],
  ['c-good', 'c-good-soft', 4.5],
  ['c-warn', 'c-warn-soft', 4.5],
  ['c-edge', 'c-card', 3],
  ['c-edge', 'c-page', 3],
]
