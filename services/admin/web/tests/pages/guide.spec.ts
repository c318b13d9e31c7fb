import type { Page } from '@playwright/test'
import { type Console, expect, test } from '../console'
import { ask, tokenOf } from '../operators'

// Pictures for the guide of what is open on a page, in English.

const pictures = { tag: ['@screens', '@wide'] }

async function opens(page: Page, staff: Console, path: string): Promise<void> {
  await staff.login()
  await page.addInitScript(() => localStorage.setItem('shop.language', 'en'))
  await page.goto(path)
  await staff.quiet()
}

test('a record of the audit, before and after', pictures, async ({ page, staff }) => {
  const owner = await tokenOf(page.request, 'super')
  const { goods } = await ask<{ goods: { unit: string } }>(page.request, owner, '/admin/goods/detail?id=3')
  for (const unit of ['a pair', goods.unit]) {
    await ask(page.request, owner, '/admin/goods/update', { goods: { id: 3, unit, isHot: unit === 'a pair' } })
  }
  await opens(page, staff, '/sys/audit?target=goods&id=3')
  await page
    .getByRole('button', { name: /^Changed:/ })
    .first()
    .click()
  await staff.settled()
  await staff.pictured('guide-audit-en')
})

test('the books after a check', pictures, async ({ page, staff }) => {
  await opens(page, staff, '/sys/books')
  const begins = page.getByRole('button', { name: 'Check now' })
  await begins.click()
  await expect(page.getByText(/^Last check.*asked for by an operator/)).toBeVisible({ timeout: 120_000 })
  await expect(begins).toBeEnabled()
  await staff.settled()
  await staff.pictured('guide-books-en')
})

test('the notices of an operator', pictures, async ({ page, staff }) => {
  await opens(page, staff, '/sys/notice')
  await page.getByRole('button', { name: /^My notices/ }).click()
  await expect(page.getByRole('dialog').getByRole('checkbox').first()).toBeVisible()
  await staff.settled()
  await staff.pictured('guide-notices-en')
})

test('the menu of an operator', pictures, async ({ page, staff }) => {
  await opens(page, staff, '/mall/order')
  await page.getByRole('button', { name: /super/ }).click()
  await staff.settled()
  await staff.pictured('guide-own-en')
})

test('a topic in the editor', pictures, async ({ page, staff }) => {
  await opens(page, staff, '/promotion/topic?open=1&edit=1')
  await staff.settled()
  await staff.pictured('guide-topic-en')
})
