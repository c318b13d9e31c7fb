// The device's clock may be wrong; the service's is what deadlines are measured by.
let ahead = 0

/** Learns the service's time from the header Date of an answer. It has whole seconds, so small differences are none. */
export function learn(date: string | null): void {
  const then = date === null ? NaN : Date.parse(date)
  if (Number.isNaN(then)) return
  const difference = then - Date.now()
  ahead = Math.abs(difference) < 2000 ? 0 : difference
}

/** The service's time in milliseconds. */
export function now(): number {
  return Date.now() + ahead
}
