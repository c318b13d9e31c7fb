// Contact sheets of the pictures that the browser tests took: one per language or theme and per width, many thumbnails
// with their names.   node sheets.mjs FOLDER   writes FOLDER/sheets/*.png
import { chromium } from '@playwright/test'
import { mkdirSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const folder = resolve(process.argv[2] ?? '.local/pages')
const sheets = new Map()
for (const file of readdirSync(folder).sort()) {
  const [, page, name, look, size] = /^(console-)?(.+)-(zh|en|dark|dark-en)-([a-z]+)\.png$/.exec(file) ?? []
  if (!name) continue
  const sheet = `${page ? 'console' : 'shop'}-${look}-${size}`
  sheets.set(sheet, [...(sheets.get(sheet) ?? []), { file, name, narrow: size === 'phone' }])
}

// Tall pages are cut: a sheet shows what is seen first.
const style = `
  body { margin: 24px; font: 16px sans-serif; display: flex; flex-wrap: wrap; gap: 24px; background: #888 }
  figure { margin: 0 } figcaption { padding: 4px 0; color: #fff }
  div { overflow: hidden; width: 560px; height: 360px; background: #fff } .narrow div { width: 260px; height: 560px }
  img { width: 100% }`
const shown = ({ file, name, narrow }) =>
  `<figure class="${narrow ? 'narrow' : ''}"><figcaption>${name}</figcaption>` +
  `<div><img src="${pathToFileURL(`${folder}/${file}`)}"></div></figure>`

const browser = await chromium.launch({ executablePath: process.env.SHOP_CHROMIUM, args: ['--no-sandbox'] })
const page = await browser.newPage({ viewport: { width: 2400, height: 1200 } })
mkdirSync(`${folder}/sheets`, { recursive: true })
await page.goto(pathToFileURL(folder).href) // so that pictures of the same place may be shown
for (const [name, pictures] of sheets) {
  await page.setContent(`<style>${style}</style>${pictures.map(shown).join('')}`)
  await page.screenshot({ path: `${folder}/sheets/${name}.png`, fullPage: true })
}
await browser.close()
console.log(`${sheets.size} contact sheets in ${folder}/sheets`)
