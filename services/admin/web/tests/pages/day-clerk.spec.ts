import { buyer } from '../buyer'
import { expect, test } from '../console'
import { newName } from '../operators'
import { asked, audited, colleague, commented, enters, panel, tabTo } from '../steps'

// The clerk's day, with the keys alone: parcels, a comment, goods that come back.

const day = { tag: ['@areas', '@wide'] }

test(
  'orders are shipped, a comment answered and a case settled by keyboard alone',
  day,
  async ({ page, staff, browser }) => {
    test.slow()
    const who = await colleague(page, 'clerk')
    const shopper = await buyer(page.request, 'demo172')
    const said = newName('很合身')
    await commented(shopper, said)
    const [caseSn = ''] = await asked(page, 'demo173', 1)
    const orders = [await shopper.paid(), await shopper.paid()]
    await page.addInitScript(() => (window.print = () => undefined))
    await staff.login(who)
    await page.goto('/')
    await staff.quiet()

    /** Goes to a page by its name. */
    const goes = async (name: string) => {
      await page.keyboard.press('Control+k')
      const find = page.getByRole('dialog', { name: '查找' })
      await expect(find.getByRole('combobox')).toBeFocused()
      await page.keyboard.type(name)
      await expect(find.getByRole('option').first()).toContainText(name)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
      await staff.quiet()
    }

    // The day's orders, of which the newest are these two.
    await goes('订单管理')
    await enters(page, page.getByRole('button', { name: '逐单发货' }))
    const number = page.getByRole('main').locator('form').first().getByLabel('快递单号')
    const heading = page.getByRole('main').getByRole('heading', { level: 2 }).first()
    await expect(number).toBeFocused()
    for (const { id, sn } of orders.toReversed()) {
      for (let before = await heading.textContent(); before !== sn; before = await heading.textContent()) {
        await page.keyboard.press('k')
        await expect(heading).not.toHaveText(before ?? '')
      }
      await page.keyboard.type(`SF${id}`)
      await page.keyboard.press('Enter')
      await expect(page.getByText(`${sn} 已发货`)).toBeVisible()
      await expect(number).toBeFocused()
    }
    const last = page.getByRole('region', { name: '上一个发出的包裹' })
    await enters(page, last.getByRole('button', { name: '修改运单' }))
    await expect(last.getByLabel('快递单号')).toBeFocused()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(`YT${orders[0]?.id}`)
    await page.keyboard.press('Enter')
    await expect(last.getByText(`YT${orders[0]?.id}`)).toBeVisible()
    expect(await shopper.order(orders[0]?.id ?? 0)).toMatchObject({ orderStatus: 301, expNo: `YT${orders[0]?.id}` })

    // Their packing slips.
    await goes('订单管理')
    await enters(page, page.getByRole('link', { name: /^已发货/ }))
    for (const { sn } of orders) {
      await tabTo(page, page.getByLabel(`选择订单 ${sn}`))
      await page.keyboard.press('Space')
    }
    await expect(page.getByText('已选 2 单')).toBeVisible()
    await enters(page, page.getByRole('button', { name: '打印装箱单' }))
    await expect(page.getByRole('article')).toHaveCount(2)
    await enters(page, page.getByRole('button', { name: '打印', exact: true }))
    await expect(page.getByText('已记录 2 单的打印')).toBeVisible()

    await goes('商品评论')
    await enters(page, page.getByRole('row', { name: said }).getByRole('link').first())
    await expect(panel(page).getByRole('heading').first()).toBeFocused()
    await tabTo(page, panel(page).getByRole('textbox'))
    await page.keyboard.type('谢谢')
    await enters(page, panel(page).getByRole('button', { name: '回复' }))
    await expect(page.getByText('已回复')).toBeVisible()

    await goes('售后管理')
    await enters(page, page.getByRole('link', { name: /^待审核/ }))
    await enters(page, page.getByRole('link', { name: caseSn }))
    for (const act of ['审核通过', '退款']) {
      await enters(page, panel(page).getByRole('button', { name: act }))
      await enters(page, page.getByRole('dialog').getByRole('button', { name: act }))
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    await expect(panel(page).getByText('已退款')).toBeVisible()
    await audited(page, browser, who, [
      ['退款', 'Refund'],
      ['售后通过', 'Approve an after-sale case'],
      ['回复评论', 'Reply to a comment'],
      ['打印发货单', 'Print packing slips'],
      ['修改运单', 'Correct the parcel of an order'],
      ['发货', 'Ship an order'],
    ])
  },
)
