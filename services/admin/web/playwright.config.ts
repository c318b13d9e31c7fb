import { defineConfig, devices } from '@playwright/test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const none = { grep: /$^/ }

// Which stories are run, at a desk and on a phone: those of make test, a part of make prove, or all of which pictures are taken. Staff
// work at a desk; stories of @both have another layout on a phone, and those of @wide only concern a desk.
const parts = new Map([
  ['test', [{ grepInvert: /@areas|@screens/ }, none]],
  ['areas', [{ grep: /@areas/ }, none]],
  ['looks', [{ grep: /@screens/ }, none]],
  ['sizes', [none, { grep: /@both/ }]],
  ['pictures', [{ grepInvert: /@areas/ }, { grepInvert: /@areas|@wide/ }]],
])
const { SHOP_STORIES: part = 'test' } = process.env
const [desk, phone] = parts.get(part) ?? []
if (!desk) throw new Error(`SHOP_STORIES is ${part}, it can be ${[...parts.keys()].join(', ')}.`)

// The service is that of ADMIN_URL, the browser the system's; nothing is downloaded.
export default defineConfig({
  testDir: 'tests/pages',
  outputDir: `${root}.local/pages/failed-admin-${part}`,
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  timeout: Number(process.env.LIMIT_STORY) * 1_000, // what hangs; lib.sh has it
  expect: { timeout: 20_000 },
  // A browser is slow where something compiles beside it. A story that passes at a repetition is noted as flaky.
  retries: 2,
  reporter: [['line'], [root + 'pkg/web/harness/flaky.ts']],
  use: {
    baseURL: process.env.ADMIN_URL,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    screenshot: 'only-on-failure',
    trace: 'on-first-retry',
    launchOptions: {
      executablePath: process.env.SHOP_CHROMIUM,
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none'],
    },
  },
  projects: [
    {
      name: 'wide',
      ...desk,
      use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 }, locale: 'zh-CN' },
    },
    {
      name: 'phone',
      ...phone,
      use: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, locale: 'zh-CN' },
    },
  ],
})
