// The pictures of the guide for staff: of those that the browser tests took, each that a document names, cut to the
// viewport and made small.   node guide.mjs FOLDER [NAME...]   writes docs/pictures/console-*.webp, or those of the names
import { chromium } from '@playwright/test'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const folder = resolve(process.argv[2] ?? '.local/pages')
const pages = ['README.md', ...readdirSync('docs/guide').map((file) => `docs/guide/${file}`)]
const named = pages.flatMap((page) => [...readFileSync(page, 'utf8').matchAll(/pictures\/(console-[a-z-]+)\.webp/g)])
const only = process.argv.slice(3)
const viewport = { width: 1440, height: 900 }

const browser = await chromium.launch({ executablePath: process.env.SHOP_CHROMIUM, args: ['--no-sandbox'] })
const page = await browser.newPage({ viewport })
const session = await page.context().newCDPSession(page)
await page.goto(pathToFileURL(folder).href) // so that pictures of the same place may be shown
let bytes = 0
const names = new Set(named.map(([, name]) => name))
for (const name of [...names].filter((name) => only.length === 0 || only.includes(name))) {
  const taken = `${folder}/${name}-en-wide.png`
  statSync(taken) // a picture that is missing is no empty one
  await page.setContent(`<style>body { margin: 0 } img { display: block }</style><img src="${pathToFileURL(taken)}">`)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 75 })
  const picture = Buffer.from(data, 'base64')
  writeFileSync(`docs/pictures/${name}.webp`, picture)
  bytes += picture.length
}
await browser.close()
console.log(`${Math.round(bytes / 1000)} KB of pictures in docs/pictures`)
