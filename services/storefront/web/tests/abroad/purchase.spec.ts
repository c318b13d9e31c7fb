import { clerk } from '../orders'
import { codeFor, password } from '../people'
import { expect, test } from '../shop'

// A shop in Japan from registration to receipt: a number of that country, an address as free text, yen, English.

test.use({ locale: 'en-GB', timezoneId: 'Asia/Tokyo' })

test('a shopper in Japan registers, buys and receives', async ({ page, shop }) => {
  const call = await clerk(page.request, 'keeper')
  const product = { specifications: ['Standard'], price: '1200', number: 5 }
  const body = {
    goods: { name: 'Green tea', goodsSn: 'tea', isOnSale: true, detail: '<p>From Uji</p>' },
    specifications: [{ specification: 'Size', value: 'Standard' }],
    products: [product],
  }
  const { id } = await call<{ id: number }>('post', '/admin/goods/create', body)

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)
  await page.goto('/register?back=/')
  await fill('Mobile number', '090-1234-5678')
  await button('Send a code').click()
  await fill('Code', await codeFor('\\+819012345678'))
  await fill('Username', 'hanako')
  await fill('Password', password)
  await button('Register and log in').click()
  await expect(page).toHaveURL('/')

  await page.goto(`/goods/${id}`)
  await expect(page.getByText('1,200').first()).toBeVisible()
  await shop.settled()
  await button('Buy now').click()
  await page.getByRole('link', { name: 'Add a delivery address' }).click()
  await page.getByRole('link', { name: 'Add an address' }).click()
  await fill('Recipient', '山田 花子')
  await fill('Mobile number', '080-1234-5678')
  await fill('Province or state', '東京都')
  await fill('City', '渋谷区')
  await fill('Street address', '神南 1-2-3')
  await fill('Postal code (optional)', '150-004')
  await button('Save the address').click()
  await expect(page.getByLabel('Postal code (optional)')).toHaveAttribute('aria-invalid', 'true')
  await fill('Postal code (optional)', '150-0041')
  await shop.settled()
  await button('Save the address').click()
  await expect(page.getByText('神南 1-2-3')).toContainText('東京都, 渋谷区')
  await shop.settled()

  await button('Place order').click()
  await expect(page).toHaveURL(/\/pay\/\d+$/)
  await button(/^Pay ¥/).click()
  await expect(page).toHaveURL(/\/wx\/sandbox\/h5\?/)
  await button(/¥/).click()
  await expect(page.getByRole('heading', { name: 'Paid' })).toBeVisible()
  const orderId = Number(/\/pay\/(\d+)/.exec(page.url())?.[1])
  await call('post', '/admin/order/ship', { orderId, shipSn: 'JP1', shipChannel: 'ZTO' })
  await page.goto(`/orders/${orderId}`)
  await button('Confirm receipt').click()
  await button('Yes, received').click()
  await expect(page.getByText('Receipt is confirmed')).toBeVisible()
  await shop.settled()
})
