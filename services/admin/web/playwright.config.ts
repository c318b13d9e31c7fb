import { defineConfig, devices } from '@playwright/test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const { SHOP_AREAS: areas, SHOP_PICTURES: pictures, SHOP_LOOKS: looks } = process.env
const part = areas ? 'areas' : looks ? 'admin-looks' : 'admin'

// The walk through every area and the looks of every screen are a part of their own.
const beside = areas ? /$^/ : pictures ? /@areas/ : /@areas|@screens/

// The service is that of ADMIN_URL, the browser the system's; nothing is downloaded.
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
  // Staff work at a desk. Stories of @both have another layout on a phone, where the part looks of make prove runs them; those of @wide
  // only concern a desk. Where pictures are taken, all others run in both.
  projects: [
    {
      name: 'wide',
      grepInvert: looks ? /./ : beside,
      use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 }, locale: 'zh-CN' },
    },
    {
      name: 'phone',
      grep: pictures ? /./ : areas || looks ? /@both/ : /$^/,
      grepInvert: [/@wide|@areas/, beside],
      use: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, locale: 'zh-CN' },
    },
  ],
})
