import { now } from './clock'
import { shopZone } from './settings'

// Answers have times as "2030-01-02 12:00:00", as the clocks of the shop's zone show them.
const day24 = 86_400_000

/** A time of the service as if it were one of UTC, in milliseconds; NaN where it is none. */
function written(text: string | null | undefined): number {
  return text ? Date.parse(text.replace(' ', 'T') + 'Z') : NaN
}

const clocks = new Map<string | undefined, Intl.DateTimeFormat>()

function clock(zone: string | undefined): Intl.DateTimeFormat {
  const two = '2-digit'
  const options = {
    year: 'numeric',
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
    hourCycle: 'h23',
  } as const
  let found = clocks.get(zone)
  if (!found) {
    try {
      found = new Intl.DateTimeFormat('en', { ...options, timeZone: zone })
    } catch {
      found = new Intl.DateTimeFormat('en', options) // a zone that is newer than the browser
    }
    clocks.set(zone, found)
  }
  return found
}

/** What the clocks of the shop show at a moment, to the second, as if it were a time of UTC. */
function shown(at: number): number {
  const part: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {}
  for (const { type, value } of clock(shopZone()).formatToParts(at)) part[type] = Number(value)
  const { year = 0, month = 1, day: date = 1, hour = 0, minute = 0, second = 0 } = part
  return Date.UTC(year, month - 1, date, hour, minute, second)
}

/** The moment of a time of the service, in milliseconds; NaN where it is none. Of two moments it is the first one. */
export function moment(text: string | null | undefined): number {
  const wanted = written(text)
  if (Number.isNaN(wanted)) return NaN
  const offsets = [wanted - day24, wanted + day24].map((at) => shown(at) - at)
  const first = wanted - Math.max(...offsets)
  return shown(first) === wanted ? first : wanted - Math.min(...offsets)
}

function format(text: string | null | undefined, language: string, options: Intl.DateTimeFormatOptions): string {
  const at = written(text)
  return Number.isNaN(at) ? '' : new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(at)
}

/** The day, as people of that language write it. */
export function day(text: string | null | undefined, language: string): string {
  return format(text, language, { year: 'numeric', month: 'numeric', day: 'numeric' })
}

/** The day and the time. */
export function dayAndTime(text: string | null | undefined, language: string): string {
  const hour: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
  return format(text, language, { year: 'numeric', month: 'numeric', day: 'numeric', ...hour })
}

/** When something ends: the last day alone, where that ends with it by the calendar of the shop's zone, else the time too. */
export function end(text: string | null | undefined, language: string): string {
  const at = moment(text)
  if (Number.isNaN(at)) return ''
  const dateOf = (time: number) => new Date(shown(time)).toISOString().slice(0, 10)
  const [before, then, after] = [at - 1000, at, at + 1000].map(dateOf)
  if (before !== then) return day(`${before} 00:00:00`, language)
  return then !== after ? day(text, language) : dayAndTime(text, language)
}

/** How many days ago a time was, by the calendar of the shop's zone. */
export function daysAgo(text: string | null | undefined, at = now()): number {
  const dayOf = (time: number) => Math.floor(time / day24)
  return dayOf(shown(at)) - dayOf(written(text))
}

/** The time that is left in parts; all are zero once it is over. */
export function left(end: number, at = now()) {
  const seconds = Math.max(0, Math.floor((end - at) / 1000))
  return {
    over: !(end > at),
    days: Math.floor(seconds / 86400),
    hours: Math.floor(seconds / 3600) % 24,
    minutes: Math.floor(seconds / 60) % 60,
    seconds: seconds % 60,
  }
}
