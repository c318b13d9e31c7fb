// @vitest-environment node
import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { filesBelow } from '../../../../../pkg/web/build/compressed'

const dist = fileURLToPath(new URL('../../dist/', import.meta.url))
const budget = 250 * 1024

describe('the built console', () => {
  it('needs little for the first visit, with a list', () => {
    const files = filesBelow(dist).filter((path) => /\.(js|css)\.br$/.test(path))
    expect(files.length).toBeGreaterThan(4)
    const size = files.reduce((sum, path) => sum + statSync(path).size, 0)
    expect(size, `${Math.round(size / 1024)} KB in ${files.length} files`).toBeLessThanOrEqual(budget)
  })

  it('names no other host that a request could go to, and runs under its policy', () => {
    for (const path of filesBelow(dist).filter((p) => /\.(css|html)$/.test(p))) {
      expect(readFileSync(path, 'utf8'), path).not.toMatch(/(url\(["']?|src="|href=")(https?:)?\/\//)
    }
    expect(readFileSync(dist + 'index.html', 'utf8')).not.toMatch(/<script(?![^>]*\bsrc=)|\bstyle=|\son\w+=/)
  })
})
