import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '../shop'

// The program of docs/client.md, as it stands there, compiled and run.

const top = fileURLToPath(new URL('../../../../../', import.meta.url))

test('the first client of the documents compiles and buys', ({ baseURL }) => {
  const page = readFileSync(join(top, 'docs/client.md'), 'utf8')
  const program = /```ts\n(.*?)```/s.exec(page)?.[1] ?? ''
  expect(program).toContain('/wx/order/submit')
  const folder = mkdtempSync(join(top, '.local/client-'))
  try {
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
    writeFileSync(join(folder, 'purchase.ts'), program)
    copyFileSync(join(top, 'services/storefront/web/src/api/schema.d.ts'), join(folder, 'storefront.d.ts'))
    const run = (...command: string[]) =>
      execFileSync(process.execPath, command, {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, SHOP: baseURL ?? '' },
      })
    const compiler = join(top, 'node_modules/typescript/lib/tsc.js')
    run(compiler, '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node', 'purchase.ts')
    expect(run('purchase.js')).toMatch(/: order \d+ 已付款\n$/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
