// @vitest-environment node
import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { filesBelow } from '../../../../../pkg/web/build/compressed'

const dist = fileURLToPath(new URL('../../dist/', import.meta.url))
const budget = 250 * 1024

const assets = filesBelow(dist + 'assets/')
const chunk = (name: string) => assets.find((path) => new RegExp(`/${name}-[^/]{8}\\.js$`).test(path)) ?? ''

/** The files of the first visit, with a list, in one language: what the page and its chunks import, with their styles. */
function firstVisit(): Set<string> {
  const found = new Set<string>()
  const take = (path: string) => {
    if (found.has(path)) return
    found.add(path)
    const source = readFileSync(path, 'utf8')
    for (const [, name] of source.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) take(`${dist}assets/${name}`)
    // A style belongs to the chunk of the same name.
    const name = /([^/]+)-[^/]{8}\.js$/.exec(path)?.[1]
    for (const style of assets) if (style.includes(`/${name}-`) && style.endsWith('.css')) found.add(style)
  }
  for (const [, name] of readFileSync(dist + 'index.html', 'utf8').matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)) {
    take(dist + name)
  }
  for (const name of ['zh', 'PlainPage', 'OrdersPage', 'HomePage']) take(chunk(name))
  return found
}

describe('the built console', () => {
  it('needs little for the first visit, with a list', () => {
    const files = [...firstVisit()]
    expect(files.length).toBeGreaterThan(8)
    expect(
      files.filter((path) => path.includes('/DayLines')),
      'charts come on demand',
    ).toEqual([])
    const size = files.reduce((sum, path) => sum + statSync(path + '.br').size, 0)
    expect(size, `${Math.round(size / 1024)} KB in ${files.length} files`).toBeLessThanOrEqual(budget)
  })

  it('names no other host that a request could go to, and runs under its policy', () => {
    for (const path of filesBelow(dist).filter((p) => /\.(css|html)$/.test(p))) {
      expect(readFileSync(path, 'utf8'), path).not.toMatch(/(url\(["']?|src="|href=")(https?:)?\/\//)
    }
    expect(readFileSync(dist + 'index.html', 'utf8')).not.toMatch(/<script(?![^>]*\bsrc=)|\bstyle=|\son\w+=/)
  })
})
