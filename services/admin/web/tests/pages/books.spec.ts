import { execFileSync } from 'node:child_process'
import { expect, looks, test } from '../console'

// The books are checked from the console, and what the program does by itself is looked after.

const areas = { tag: ['@areas', '@wide'] }

/** Changes a row behind the shop's back, as nobody may. */
function behind(statement: string): void {
  const dsn = /^(.+):(.*)@tcp\((.+):(\d+)\)\/(\w+)/.exec(process.env.ADMIN_MYSQL_DSN ?? '')
  if (!dsn) throw new Error('no database in ADMIN_MYSQL_DSN')
  const [, user, password, host, port, database] = dsn
  const to = [`-u${user}`, `-p${password}`, `-h${host}`, `-P${port}`, database ?? '']
  execFileSync(process.env.SHOP_MYSQL ?? 'mariadb', [...to, '-e', statement])
}

test('a row that was changed behind the back of the shop is found', areas, async ({ page, staff }) => {
  test.slow()
  const row = page.getByRole('listitem').filter({ hasText: /^关键词 2.*“is_hot”是 7，应为 0 或 1/ })
  behind('UPDATE keyword SET is_hot = 7 WHERE id = 2')
  try {
    await staff.login()
    await page.goto('/sys/books')
    await staff.quiet()
    await page.getByRole('button', { name: '立即核对' }).press('Enter')
    await expect(row).toBeVisible({ timeout: 120_000 })
    await staff.settled()
    await row.getByRole('link', { name: '关键词 2' }).click()
    await expect(page).toHaveURL('/mall/keyword?open=2')
  } finally {
    behind('UPDATE keyword SET is_hot = 1 WHERE id = 2')
  }
  await page.goto('/sys/books')
  await page.getByRole('button', { name: '立即核对' }).click()
  await expect(row).toHaveCount(0, { timeout: 120_000 })
})

test('a side effect that was given up is tried again, and a row of a job', areas, async ({ page, staff }) => {
  const key = `mail:story:${Date.now()}`
  behind(
    `INSERT INTO outbox_event (topic, event_key, state, attempts, available_time, add_time)
     VALUES ('nobody.send', '${key}', 2, 12, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3));
     REPLACE INTO job_failure (job, row_id, tries, retry_time, last_error, add_time)
     VALUES ('refundRetry', 987654, 3, UTC_TIMESTAMP(3) + INTERVAL 1 DAY, 'the platform was down', UTC_TIMESTAMP(3))`,
  )
  await staff.login()
  await page.goto('/sys/books?show=letters')
  await page.getByRole('row', { name: key }).getByRole('button', { name: '重试' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '重试' }).click()
  await expect(page.getByRole('row', { name: key })).toHaveCount(0)
  await page.getByRole('link', { name: '后台任务' }).click()
  const row = page.getByRole('listitem').filter({ hasText: '重试退款 · 987654' })
  await expect(row).toContainText('the platform was down')
  await staff.settled()
  await row.getByRole('button', { name: '重试' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '重试' }).click()
  await expect(row).toHaveCount(0)
})

for (const show of ['check', 'cases', 'letters', 'jobs']) {
  test(`books-${show} looks right`, looks, async ({ page, staff }) => {
    await staff.login()
    await page.goto(`/sys/books?show=${show}`)
    await staff.looksRight(`books-${show}`)
  })
}
