import { defineConfig, devices } from '@playwright/test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

// The service is that of ADMIN_URL, the browser the system's; nothing is downloaded.
export default defineConfig({
  testDir: 'tests/pages',
  outputDir: root + '.local/pages/failed-admin',
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  timeout: 45_000,
  expect: { timeout: 8000 },
  reporter: [['line']],
  use: {
    baseURL: process.env.ADMIN_URL,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.SHOP_CHROMIUM,
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none'],
    },
  },
  // The walk through every area is a part of its own.
  grepInvert: process.env.SHOP_AREAS ? undefined : /@areas/,
  // Staff work at a desk. Stories of @both have another layout on a phone, those of @wide only
  // concern a desk; where pictures are taken, all others run in both.
  projects: [
    {
      name: 'wide',
      use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 }, locale: 'zh-CN' },
    },
    {
      name: 'phone',
      grep: process.env.SHOP_PICTURES ? /./ : /@both/,
      grepInvert: /@wide|@areas/,
      use: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, locale: 'zh-CN' },
    },
  ],
})
