import { defineConfig, devices } from '@playwright/test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const none = { grep: /$^/ }

// Which stories are run, on a phone and on a wide screen: those of make test, a part of make prove, or all of which pictures are taken.
// What a story proves of behaviour it proves on a phone; those of @both have another layout on a wide screen, and those of @wide are
// about it.
const parts = new Map([
  ['test', [{ grepInvert: /@wide|@screens/ }, { grep: /@wide/ }]],
  ['looks', [{ grep: /@screens/ }, none]],
  ['sizes', [none, { grep: /@both/ }]],
  ['pictures', [{ grepInvert: /@wide/ }, {}]],
])
const { SHOP_STORIES: part = 'test' } = process.env
const [phone, wide] = parts.get(part) ?? []
if (!phone) throw new Error(`SHOP_STORIES is ${part}, it can be ${[...parts.keys()].join(', ')}.`)

// The service is that of STOREFRONT_URL, the browser the system's; nothing is downloaded.
export default defineConfig({
  testDir: 'tests/pages',
  outputDir: `${root}.local/pages/failed-${part}`,
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  timeout: Number(process.env.LIMIT_STORY) * 1_000, // what hangs; lib.sh has it
  expect: { timeout: 20_000 },
  // A browser is slow where something compiles beside it. A story that passes at a repetition is noted as flaky.
  retries: 2,
  reporter: [['line'], [root + 'pkg/web/harness/flaky.ts']],
  use: {
    baseURL: process.env.STOREFRONT_URL,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    serviceWorkers: 'block', // each story would store the whole shell anew
    screenshot: 'only-on-failure',
    trace: 'on-first-retry',
    launchOptions: {
      executablePath: process.env.SHOP_CHROMIUM,
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none'],
    },
  },
  projects: [
    {
      name: 'phone',
      ...phone,
      use: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, locale: 'zh-CN' },
    },
    {
      name: 'wide',
      ...wide,
      use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 900 }, locale: 'zh-CN' },
    },
  ],
})
