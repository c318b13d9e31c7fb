// @vitest-environment node
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { filesBelow } from '../../../../../pkg/web/build/compressed'
import en from '@/i18n/en'
import zh from '@/i18n/zh'

const src = fileURLToPath(new URL('../../src', import.meta.url))

function flat(texts: object, before = ''): Map<string, string> {
  const all = new Map<string, string>()
  for (const [key, value] of Object.entries(texts) as [string, string | object][]) {
    if (typeof value === 'string') all.set(before + key, value)
    else for (const [k, v] of flat(value, `${before}${key}.`)) all.set(k, v)
  }
  return all
}

const chinese = flat(zh)
const english = flat(en)
const names = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1]).sort()

describe('the texts', () => {
  it('are the same in both languages', () => {
    expect([...english.keys()]).toEqual([...chinese.keys()])
    for (const [key, text] of chinese) {
      expect(text, key).not.toBe('')
      const first = english.get(key)?.split(' | ')[0] ?? ''
      expect(names(first), key).toEqual(names(text))
    }
  })

  it('have no Chinese in the English ones', () => {
    for (const [key, text] of english)
      if (key !== 'common.head.language') expect(text, key).not.toMatch(/\p{Script=Han}/u)
  })

  it('exist wherever the pages name one, and are used', () => {
    const code = filesBelow(src)
      .filter((path) => /\.(vue|ts)$/.test(path) && !path.includes('/i18n/'))
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n')
    const names = new RegExp(`(?<!useSubmission\\()['\`]((?:${Object.keys(zh).join('|')})\\.[a-z][\\w.]*)['\`]`, 'g')
    const named = [...code.matchAll(names)].map((m) => m[1] ?? '')
    for (const key of named) expect(chinese.has(key), key).toBe(true)
    const titles = [...code.matchAll(/meta: \{ title: '([^']+)'/g)].map((m) => m[1] ?? '')
    expect(titles.length).toBeGreaterThan(20)
    for (const key of titles) expect(chinese.has(key), key).toBe(true)
  })
})
