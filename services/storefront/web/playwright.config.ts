import { defineConfig, devices } from '@playwright/test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const { SHOP_PICTURES: pictures, SHOP_LOOKS: looks } = process.env

// The service is that of STOREFRONT_URL, the browser the system's; nothing is downloaded.
export default defineConfig({
  testDir: 'tests/pages',
  outputDir: `${root}.local/pages/failed${looks ? '-looks' : ''}`,
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
  // What a story proves of behaviour it proves on a phone. Those of @both have another layout on a wide screen, where the part looks of
  // make prove runs them, with the looks of every page in both sizes; those of @wide are about it. Where pictures are taken, all stories
  // run in both.
  projects: [
    {
      name: 'phone',
      grep: looks ? /@screens/ : /./,
      grepInvert: pictures || looks ? /@wide/ : /@wide|@screens/,
      use: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, locale: 'zh-CN' },
    },
    {
      name: 'wide',
      grep: pictures ? /./ : looks ? /@both/ : /@wide/,
      use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 900 }, locale: 'zh-CN' },
    },
  ],
})
