import { afterEach, expect, it, vi } from 'vitest'
import { opened, speaks } from '../src/answer'
import { learn, now } from '../src/clock'
import { money, parts, plainAmount } from '../src/money'
import { clean } from '../src/richtext'
import { day, dayAndTime, end, left, moment } from '../src/time'

afterEach(() => learn(new Date().toUTCString()))

it('writes money', () => {
  expect(money(36.5)).toBe('¥36.50')
  expect(money('99.00')).toBe('¥99.00')
  expect(money(1854)).toBe('¥1,854.00')
  expect(money(-1234567.5)).toBe('−¥1,234,567.50')
  expect(money(0.1 + 0.2)).toBe('¥0.30')
  expect(money(-8)).toBe('−¥8.00')
  expect(parts(1234.05)).toEqual({ sign: '', symbol: '¥', whole: '1,234', cents: '05' })
})

it('writes money in the currency of the shop', () => {
  const html = document.documentElement.dataset
  const written = Object.entries({ JPY: '0', KRW: '0', EUR: '2', CHF: '2' }).map(([currency, decimals]) => {
    Object.assign(html, { currency, decimals })
    return money(1234) + ' ' + money(9.5)
  })
  expect(written).toEqual(['¥1,234 ¥9.50', '₩1,234 ₩9.50', '€1,234.00 €9.50', 'CHF\u00a01,234.00 CHF\u00a09.50'])
  expect(plainAmount(' CHF 1,234.50')).toBe('1234.50')
  delete html.currency
  delete html.decimals
  expect(plainAmount('￥１２.５')).toBe('12.5')
})

it("reads times in the shop's zone, wherever the device is", () => {
  document.documentElement.dataset.zone = 'Asia/Shanghai'
  expect(new Date(moment('2030-01-02 12:00:00')).toISOString()).toBe('2030-01-02T04:00:00.000Z')
  expect(moment(null)).toBeNaN()
  expect(dayAndTime('2030-01-02 12:05:00', 'zh-CN')).toContain('12:05')
  expect(dayAndTime('2030-01-02 00:05:00', 'en')).toBe('1/2/2030, 00:05')
  expect(dayAndTime('', 'en')).toBe('')
})

it('shows a time as it was written, also one that came twice', () => {
  document.documentElement.dataset.zone = 'America/New_York'
  expect(dayAndTime('2024-11-03 01:30:00', 'en')).toContain('01:30')
  expect(day('2024-11-03 23:59:59', 'en')).toBe('11/3/2024')
})

it.each([
  ['2030-01-02 15:00:00', '1/2/2030, 15:00'],
  ['2030-01-02 23:59:59', '1/2/2030'],
  ['2030-01-03 00:00:00', '1/2/2030'],
  ['2030-01-01 00:00:00', '12/31/2029'],
  ['2030-01-02 23:59:00', '1/2/2030, 23:59'],
  ['2030-01-03 00:00:01', '1/3/2030, 00:00'],
  ['', ''],
])('says of %s until when that is', (text, says) => {
  document.documentElement.dataset.zone = 'Asia/Shanghai'
  expect(end(text, 'en')).toBe(says)
})

it('knows the days that end at another hour', () => {
  document.documentElement.dataset.zone = 'America/Santiago'
  expect(end('2024-09-08 01:00:00', 'en')).toBe('9/7/2024') // there was no midnight
  expect(end('2024-09-07 23:59:59', 'en')).toBe('9/7/2024')
  expect(end('2024-09-09 01:00:00', 'en')).toBe('9/9/2024, 01:00')
})

it('counts what is left', () => {
  expect(left(90_061_000, 0)).toEqual({ over: false, days: 1, hours: 1, minutes: 1, seconds: 1 })
  expect(left(0, 1)).toMatchObject({ over: true, seconds: 0 })
  expect(left(NaN, 1).over).toBe(true)
})

it('goes by the clock of the service', () => {
  vi.useFakeTimers({ now: Date.UTC(2030, 0, 1) })
  learn('Tue, 01 Jan 2030 01:00:00 GMT')
  expect(now() - Date.now()).toBe(3_600_000)
  learn(null)
  expect(now() - Date.now()).toBe(3_600_000)
  vi.useRealTimers()
})

it('opens envelopes', () => {
  expect(opened(200, { errno: 0, errmsg: '成功', data: 5 })).toEqual({ data: 5 })
  expect(opened(200, { errno: 0, errmsg: '成功' })).toEqual({ data: undefined })
  expect(opened(200, { errno: 711, errmsg: '库存不足' })).toEqual({
    failure: { kind: 'refused', errno: 711, text: '库存不足' },
  })
  const headers = new Headers({ 'X-Shop-Field': 'mobile', 'X-Request-Id': 'r1' })
  expect(opened(200, { errno: 402, errmsg: '手机号码格式不正确' }, headers).failure).toMatchObject({
    field: 'mobile',
    request: 'r1',
  })
  expect(opened(200, { errno: 402, errmsg: '参数值不对' }).failure?.field).toBeUndefined()
  expect(opened(200, { errno: 501, errmsg: '' }).failure?.kind).toBe('session')
  expect(opened(200, { errno: 504, errmsg: '' }).failure?.kind).toBe('conflict')
  expect(opened(404, { errno: 404, errmsg: '' }).failure?.kind).toBe('refused')
  expect(opened(503, '<html>').failure?.kind).toBe('broken')
})

it('shows a sentence only in its language', () => {
  expect(speaks('库存不足', 'zh-CN')).toBe(true)
  expect(speaks('库存不足', 'en')).toBe(false)
  expect(speaks('not enough stock', 'zh-CN')).toBe(false)
  expect(speaks('', 'en')).toBe(false)
})

it('cleans markup', () => {
  const dirty =
    '<p style="color:red" onclick="x()">a<script>x()</script><img src="/a.png" onerror="x()"><a href="javascript:x()">b</a></p>'
  const safe = clean(dirty)
  expect(safe).not.toMatch(/script|style|onclick|onerror/)
  expect(safe).toContain('loading="lazy"')
  expect(clean('<a href="https://example.com/">c</a>')).toContain('rel="noopener noreferrer nofollow"')
  expect(clean('<form action="/x"><input></form>')).toBe('')
  expect(clean('<p style="color: red; text-align: Center">d</p><p align="right">e</p>')).toBe(
    '<p data-align="center">d</p><p align="right">e</p>',
  )
  expect(clean('<p style="text-align: expression(x)">f</p>')).toBe('<p>f</p>')
  expect(clean('<style>p{}</style>g<img alt="style=1" style="width:1px">')).toBe(
    'g<img alt="style=1" loading="lazy" decoding="async">',
  )
})
