// @vitest-environment node
import { describe, expect, it } from 'vitest'
import en from '@/i18n/en'
import zh from '@/i18n/zh'

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
      expect(names(english.get(key)?.split(' | ')[0] ?? ''), key).toEqual(names(text))
    }
  })

  it('have no Chinese in the English ones', () => {
    for (const [key, text] of english) expect(text, key).not.toMatch(/\p{Script=Han}/u)
  })
})
