// Draws the icons of the installed page from public/icons/shop.svg: node build/icons.mjs (SHOP_CHROMIUM names the browser).
import { chromium } from '@playwright/test'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../public/icons/', import.meta.url))
const drawing = readFileSync(folder + 'shop.svg', 'utf8')
// The mask of a launcher cuts up to a fifth off each side: the drawing is smaller there and the ground fills all.
const masked = drawing.replace('rx="15"', '').replace('<g ', '<g transform="translate(12.8 12.8) scale(.6)" ')

const browser = await chromium.launch({ executablePath: process.env.SHOP_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
const page = await browser.newPage()
for (const [name, size, svg] of [
  ['shop-180', 180, masked],
  ['shop-192', 192, drawing],
  ['shop-512', 512, drawing],
  ['shop-mask-512', 512, masked],
]) {
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`)
  writeFileSync(`${folder}${name}.png`, await page.screenshot({ omitBackground: true }))
}
await browser.close()
