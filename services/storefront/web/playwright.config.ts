import { defineConfig, devices } from '@playwright/test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

// The service is that of STOREFRONT_URL, the browser the system's; nothing is downloaded.
export default defineConfig({
  testDir: 'tests/pages',
  outputDir: root + '.local/pages/failed',
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  timeout: 45_000,
  expect: { timeout: 8000 },
  reporter: [['line']],
  use: {
    baseURL: process.env.STOREFRONT_URL,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.SHOP_CHROMIUM,
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none'],
    },
  },
  // @wide needs the head of a wide screen. @phone says enough on the smaller screen, unless pictures are taken.
  projects: [
    {
      name: 'phone',
      grepInvert: /@wide/,
      use: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, locale: 'zh-CN' },
    },
    {
      name: 'wide',
      grepInvert: process.env.SHOP_PICTURES ? [] : /@phone/,
      use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 900 }, locale: 'zh-CN' },
    },
  ],
})
