/** Why a call has no data. */
export type Kind =
  | 'offline' // the device has no network
  | 'unreachable' // the service does not answer
  | 'slow' // the deadline has passed
  | 'broken' // the service answers that it failed, or something that is no envelope
  | 'busy' // the service has no place for it now; nothing was done
  | 'session' // the login is missing or over
  | 'unavailable' // this deployment does not offer the function
  | 'conflict' // somebody else changed it at the same time
  | 'refused' // the shop says no, and errmsg says why
  | 'cancelled' // the caller has lost interest

/** What is known of a call that failed. */
export interface Failure {
  readonly kind: Kind
  /** The number of the contract; absent where no envelope came. */
  readonly errno?: number
  /** The sentence of the answer, for people, in the language of the shop; "" where there is none. */
  readonly text: string
  /** The member of the request that is wrong; absent where the answer names none. */
  readonly field?: string
  /** The number of the request in the logs of the service; absent where no answer came. */
  readonly request?: string
}

/** What a call has led to: data, or a failure. */
export type Answer<T> = { data: T; failure?: undefined } | { data?: undefined; failure: Failure }

/** Whether the request may have been carried out although no answer came. */
export function isLost(f: Failure): boolean {
  return f.kind === 'offline' || f.kind === 'unreachable' || f.kind === 'slow' || f.kind === 'broken'
}

/** Whether asking again without changing anything may help. */
export function isPassing(f: Failure): boolean {
  return isLost(f) || f.kind === 'conflict' || f.kind === 'busy'
}

export function failed(
  kind: Kind,
  text = '',
  more: Pick<Failure, 'errno' | 'field' | 'request'> = {},
): { failure: Failure } {
  return { failure: { kind, text, ...more } }
}

const kinds: Partial<Record<number, Kind>> = { 501: 'session', 502: 'broken', 503: 'unavailable', 504: 'conflict' }

/** Reads an envelope; the headers say which member is wrong, and which request it was. */
export function opened<T>(status: number, body: unknown, headers = new Headers()): Answer<T> {
  const request = headers.get('X-Request-Id') ?? undefined
  const field = headers.get('X-Shop-Field') ?? undefined
  if (typeof body !== 'object' || body === null || !('errno' in body) || typeof body.errno !== 'number') {
    return failed('broken', '', { request })
  }
  if (body.errno === 0 && status === 200) {
    return { data: ('data' in body ? body.data : undefined) as T }
  }
  const text = 'errmsg' in body && typeof body.errmsg === 'string' ? body.errmsg : ''
  const kind = (status === 503 ? 'busy' : kinds[body.errno]) ?? (status >= 500 ? 'broken' : 'refused')
  return failed(kind, text, { errno: body.errno, field, request })
}

const han = /\p{Script=Han}/u

/** Whether a sentence of the service can be shown in a page of that language. */
export function speaks(text: string, language: string): boolean {
  return text !== '' && han.test(text) === language.startsWith('zh')
}
