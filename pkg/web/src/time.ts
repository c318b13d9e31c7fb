import { now } from './clock'

// Answers have times as "2030-01-02 12:00:00" in the shop's zone, which is China's unless it is configured otherwise.
const zone = 'Asia/Shanghai'
const offset = '+08:00'

/** The moment of a time of the service, in milliseconds; NaN where it is none. */
export function moment(text: string | null | undefined): number {
  return text ? Date.parse(text.replace(' ', 'T') + offset) : NaN
}

function format(text: string | null | undefined, language: string, options: Intl.DateTimeFormatOptions): string {
  const at = moment(text)
  return Number.isNaN(at) ? '' : new Intl.DateTimeFormat(language, { ...options, timeZone: zone }).format(at)
}

/** The day, as people of that language write it. */
export function day(text: string | null | undefined, language: string): string {
  return format(text, language, { year: 'numeric', month: 'numeric', day: 'numeric' })
}

/** The day and the time. */
export function dayAndTime(text: string | null | undefined, language: string): string {
  const hour: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hour12: false }
  return format(text, language, { year: 'numeric', month: 'numeric', day: 'numeric', ...hour })
}

/** How many days ago a time was, by the calendar of the shop's zone. */
export function daysAgo(text: string | null | undefined, at = now()): number {
  const first = moment('1970-01-01 00:00:00')
  const dayOf = (ms: number) => Math.floor((ms - first) / 86_400_000)
  return dayOf(at) - dayOf(moment(text))
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
