// @vitest-environment node
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { colours, contrast, pairs } from '../../../../../pkg/web/harness/contrast'

const css = readFileSync(fileURLToPath(new URL('../../src/styles/tokens.css', import.meta.url)), 'utf8')
const [light = '', dark = ''] = css.split('html.dark {')

const own: typeof pairs = [
  ['c-bad', 'c-card', 4.5],
  ['c-bad', 'c-bad-soft', 4.5],
  ['c-ink', 'c-soft', 4.5],
]

it.each([
  ['light', colours(light)],
  ['dark', { ...colours(light), ...colours(dark) }],
])('what is written can be read in the %s', (_, all) => {
  for (const [text, ground, least] of [...pairs, ...own]) {
    const got = contrast(all[text] ?? '', all[ground] ?? '')
    expect(got, `${text} on ${ground}: ${got.toFixed(2)}`).toBeGreaterThanOrEqual(least)
  }
})
