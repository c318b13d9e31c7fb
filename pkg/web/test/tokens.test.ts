// @vitest-environment node
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { colours, contrast, pairs } from '../harness/contrast'

const css = readFileSync(fileURLToPath(new URL('../src/tokens.css', import.meta.url)), 'utf8')
const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)')

it.each([
  ['light', colours(light)],
  ['dark', { ...colours(light), ...colours(dark) }],
])('what is written can be read in the %s', (_, all) => {
  for (const [text, ground, least] of pairs) {
    const got = contrast(all[text] ?? '', all[ground] ?? '')
    expect(got, `${text} on ${ground}: ${got.toFixed(2)}`).toBeGreaterThanOrEqual(least)
  }
})
