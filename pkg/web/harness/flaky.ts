import type { FullConfig, Reporter, Suite } from '@playwright/test/reporter'
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Notes the stories that passed at a repetition in the file that SHOP_FLAKY names: a line with the story, a tab and why it failed. */
export default class Flaky implements Reporter {
  private all?: Suite

  onBegin(_: FullConfig, all: Suite): void {
    this.all = all
  }

  onEnd(): void {
    const file = process.env.SHOP_FLAKY
    if (!file) return
    for (const story of this.all?.allTests() ?? []) {
      if (story.outcome() !== 'flaky') continue
      const where = relative(root, story.location.file)
      const why = (story.results[0]?.error?.message ?? '').replace(/\u001b\[[\d;]*m/g, '').replace(/\s+/g, ' ')
      appendFileSync(file, `[${story.parent.project()?.name}] ${where} ${story.title}\t${why.slice(0, 300)}\n`)
    }
  }
}
