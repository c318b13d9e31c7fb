import { afterEach, describe, expect, it } from 'vitest'
import { daysAgo, moment } from '../src/time'

const root = document.documentElement
afterEach(() => {
  delete root.dataset.zone
})

const hour = 3_600_000

/** Writes moments as the service does. */
function writer(zone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  return (at) => format.format(at)
}

const dayBefore = (text: string) => new Date(Date.parse(text.slice(0, 10)) - 24 * hour).toISOString().slice(0, 10)

/** What is wrong with a moment, if anything: of two with the same text the first one is right. */
function wrong(at: number, write: (at: number) => string): string | undefined {
  const text = write(at)
  const read = moment(text)
  if (read > at || write(read) !== text) return `${text} is read as ${write(read)}`
  if (daysAgo(text, at) !== 0) return `${text} is not today`
  if (daysAgo(`${dayBefore(text)} 23:59:59`, at) !== 1) return `the day before ${text} is not yesterday`
  return undefined
}

const days: number[] = []
for (let at = Date.UTC(2024, 0, 1); at < Date.UTC(2027, 0, 1); at += 24 * hour) days.push(at)

/** All zones, one of those whose clocks agree on each of the days. */
function differing(): string[] {
  const all = Intl.supportedValuesOf('timeZone')
  return [...new Map(all.map((zone) => [days.map(writer(zone)).join(), zone])).values()]
}

describe('in all zones', () => {
  it.each(differing())('reads times and counts days in %s', (zone) => {
    root.dataset.zone = zone
    const write = writer(zone)
    const offset = (at: number) => Date.parse(write(at).replace(' ', 'T') + 'Z') - at
    const found: (string | undefined)[] = []
    for (const at of days) {
      found.push(wrong(at, write))
      if (offset(at) === offset(at + 24 * hour)) continue
      for (let near = at - 3 * hour; near < at + 27 * hour; near += hour / 4) found.push(wrong(near, write))
    }
    expect(found.filter(Boolean)).toEqual([])
  })
})

describe('the days on which clocks are moved', () => {
  it('have every moment once more or once less', () => {
    root.dataset.zone = 'America/Santiago'
    expect(new Date(moment('2024-09-08 01:00:00')).toISOString()).toBe('2024-09-08T04:00:00.000Z')
    expect(daysAgo('2024-09-07 23:59:59', moment('2024-09-08 01:00:00'))).toBe(1)
    root.dataset.zone = 'America/Havana'
    expect(new Date(moment('2024-11-03 00:30:00')).toISOString()).toBe('2024-11-03T04:30:00.000Z')
    root.dataset.zone = 'Australia/Lord_Howe'
    expect(new Date(moment('2024-10-06 02:45:00')).toISOString()).toBe('2024-10-05T15:45:00.000Z')
  })

  it('do not break a page in a zone that the browser does not know', () => {
    root.dataset.zone = 'Mars/Olympus'
    expect(moment('2030-01-02 12:00:00')).not.toBeNaN()
  })
})
