import { looks, test } from '../console'

// Every screen that needs no state of its own, in both languages and in the dark.
const screens: [name: string, path: string][] = [
  ['home', '/'],
  ['list', '/promotion/ad'],
  ['list-long', '/user/user'],
  ['shopper', '/user/user?open=1'],
  ['list-by-shopper', '/user/footprint?userId=100'],
  ['form-roles', '/sys/admin?open=2&edit=1'],
  ['list-none', '/promotion/ad?name=nothing-like-this'],
  ['record', '/promotion/ad?open=1'],
  ['form', '/promotion/ad?open=1&edit=1'],
  ['form-new', '/promotion/coupon?open=new'],
  ['settings', '/config/order'],
  ['statistics', '/stat/order'],
  ['statistics-goods', '/stat/goods'],
  ['messages', '/config/message'],
  ['regions', '/region'],
  ['coupon', '/promotion/coupon?open=5'],
  ['group-rule', '/promotion/groupon?open=1'],
  ['topic', '/promotion/topic?open=1'],
  ['categories', '/mall/category?open=2'],
  ['comment', '/goods/comment?open=43'],
  ['record-gone', '/promotion/ad?open=999999'],
  ['missing', '/nowhere/at-all'],
]

for (const [name, path] of screens) {
  test(`${name} looks right`, looks, async ({ page, staff }) => {
    if (name === 'record-gone') staff.mayFail('402: ')
    await staff.login()
    await page.goto(path)
    await staff.looksRight(name)
  })
}

test('login looks right', looks, async ({ page, staff }) => {
  await page.goto('/login')
  await staff.looksRight('login')
})

test('denied looks right', looks, async ({ page, staff }) => {
  await staff.login('clerk')
  await page.goto('/promotion/ad')
  await staff.looksRight('denied')
})
