import { defineConfig, devices } from '@playwright/test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

// The looks of every page without a story of its own are a part of their own.
const beside = process.env.SHOP_AREAS || process.env.SHOP_PICTURES ? /$^/ : /@screens/

// Pictures have all points of a phone; drawing seven times the points proves nothing more.
const deviceScaleFactor = process.env.SHOP_PICTURES ? 2.625 : 1

// The service is that of STOREFRONT_URL, the browser the system's; nothing is downloaded.
export default defineConfig({
  // The demo shop is in China; a shop elsewhere has a story of its own.
  testDir: (process.env.ADMIN_SHOP_COUNTRY ?? 'CN') === 'CN' ? 'tests/pages' : 'tests/abroad',
  outputDir: root + '.local/pages/failed',
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  // Long enough for a machine that does other work: a story that hangs is found as well by a long wait.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['line']],
  use: {
    baseURL: process.env.STOREFRONT_URL,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    serviceWorkers: 'block', // each story would store the whole shell anew
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.SHOP_CHROMIUM,
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none'],
    },
  },
  // What a story proves of behaviour it proves on a phone. Those of @both have another layout on a wide screen, which the part of the
  // looks runs; those of @wide are about it. Where pictures are taken, all stories run in both.
  projects: [
    {
      name: 'phone',
      grepInvert: [/@wide/, beside],
      use: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, deviceScaleFactor, locale: 'zh-CN' },
    },
    {
      name: 'wide',
      grep: process.env.SHOP_PICTURES ? /./ : process.env.SHOP_AREAS ? /@both|@wide/ : /@wide/,
      grepInvert: beside,
      use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 900 }, locale: 'zh-CN' },
    },
  ],
})
