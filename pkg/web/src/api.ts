import createClient from 'openapi-fetch'
import type { PathsWithMethod } from 'openapi-typescript-helpers'
import { type Answer, failed, opened } from './answer'
import { learn } from './clock'
import { sendSaying, served, type ServedFile } from './file'

type Content<O> = O extends { responses: { 200: { content: infer C } } } ? C[keyof C] : never
type Success<O> = Extract<Content<O>, { errno: 0 }>

/** What a successful call of an operation brings. */
export type DataOf<O> = Success<O> extends { data: infer D } ? D : undefined
/** The query of an operation. */
export type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never
/** The body of an operation. */
export type BodyOf<O> = O extends { requestBody?: infer B }
  ? NonNullable<B> extends { content: { 'application/json': infer J } }
    ? J
    : never
  : never

type At<Paths, P extends keyof Paths, M extends 'get' | 'post'> = Paths[P] extends { [K in M]: infer O } ? O : never

/** How a call is made. */
export interface Options {
  /** Ends the call when the caller has lost interest. */
  signal?: AbortSignal
  /** The Idempotency-Key: a call that is repeated with it has one effect. */
  key?: string
  /** Milliseconds to wait for the answer. */
  deadline?: number
  /** Hears how much of a file has been sent, from 0 to 1. */
  sent?: (share: number) => void
}

/** What the client asks of the page that it serves. */
export interface Setting {
  tokenHeader: string
  token: () => string
  /** Called when the service says that the token it was sent is no longer good. */
  sessionEnded: () => void
  /** Called with whether the service was reached. */
  reached: (yes: boolean) => void
  origin?: string
  /** Further headers of every call. */
  headers?: () => Record<string, string>
}

const readDeadline = 12_000
const writeDeadline = 20_000
const uploadDeadline = 60_000
/** A file is written while its rows are read. */
const downloadDeadline = 300_000
/** The least milliseconds before a busy service is asked again; up to twice as long, so that pages do not return at once. */
const pauses = [1_000, 2_000, 4_000]

type Arguments<T> = [T] extends [never]
  ? [nothing?: undefined, options?: Options]
  : object extends T
    ? [value?: T, options?: Options]
    : [value: T, options?: Options]

interface Sent {
  data?: unknown
  error?: unknown
  response: Response
}
type Send = (path: string, init: object) => Promise<Sent>

/** Makes the one client of a page, typed by the API document of its service. */
export function createApi<Paths extends object>(setting: Setting) {
  const client = createClient<Paths>({ baseUrl: setting.origin ?? '' })

  // A service that is busy has done nothing, so the call is repeated, each time later, while its caller waits.
  async function call<T>(send: Send, path: string, init: object, o: Options, deadline: number): Promise<Answer<T>> {
    for (const pause of pauses) {
      const answer = await once<T>(send, path, init, o, deadline)
      if (answer.failure?.kind !== 'busy') return answer
      await new Promise((resolve) => setTimeout(resolve, pause * (1 + Math.random())))
      if (o.signal?.aborted) return failed('cancelled')
    }
    return once<T>(send, path, init, o, deadline)
  }

  async function once<T>(send: Send, path: string, init: object, o: Options, deadline: number): Promise<Answer<T>> {
    if (!navigator.onLine) return failed('offline')
    const control = new AbortController()
    let late = false
    const timer = setTimeout(() => {
      late = true
      control.abort()
    }, o.deadline ?? deadline)
    const stop = () => control.abort()
    o.signal?.addEventListener('abort', stop)
    if (o.signal?.aborted) control.abort()
    const token = setting.token()
    const headers = setting.headers?.() ?? {}
    if (token) headers[setting.tokenHeader] = token
    if (o.key) headers['Idempotency-Key'] = o.key
    try {
      const { data, error, response } = await send(path, { ...init, headers, signal: control.signal })
      learn(response.headers.get('Date'))
      setting.reached(true)
      const answer =
        data instanceof Blob
          ? ((await served(data, response)) as Answer<T>)
          : opened<T>(response.status, data ?? error, response.headers)
      if (answer.failure?.kind === 'session' && token === setting.token()) setting.sessionEnded()
      return answer
    } catch (e) {
      if (late) return failed('slow')
      if (o.signal?.aborted) return failed('cancelled')
      if (e instanceof SyntaxError) return failed('broken') // an answer that is no JSON, from something in between
      setting.reached(false)
      return failed(navigator.onLine ? 'unreachable' : 'offline')
    } finally {
      clearTimeout(timer)
      o.signal?.removeEventListener('abort', stop)
    }
  }

  /** Reads. A read that gets no answer is tried once more. */
  async function get<P extends PathsWithMethod<Paths, 'get'>>(
    path: P,
    ...[query, options = {}]: Arguments<QueryOf<At<Paths, P, 'get'>>>
  ): Promise<Answer<DataOf<At<Paths, P, 'get'>>>> {
    const ask = () =>
      call<DataOf<At<Paths, P, 'get'>>>(
        client.GET as unknown as Send,
        path as string,
        { params: { query } },
        options,
        readDeadline,
      )
    const answer = await ask()
    if (answer.failure?.kind !== 'unreachable' || options.signal?.aborted) return answer
    await new Promise((resolve) => setTimeout(resolve, 400))
    return ask()
  }

  /** Changes something. It is repeated by itself only if the service says that it was busy; see useSubmission. */
  function post<P extends PathsWithMethod<Paths, 'post'>>(
    path: P,
    ...[body, options = {}]: Arguments<BodyOf<At<Paths, P, 'post'>>>
  ): Promise<Answer<DataOf<At<Paths, P, 'post'>>>> {
    return call(client.POST as unknown as Send, path as string, { body: body ?? {} }, options, writeDeadline)
  }

  /** Sends a file. */
  function upload<P extends PathsWithMethod<Paths, 'post'>>(
    path: P,
    file: File,
    options: Options = {},
  ): Promise<Answer<DataOf<At<Paths, P, 'post'>>>> {
    const form = new FormData()
    form.append('file', file)
    const { sent } = options
    const init = {
      body: form,
      bodySerializer: (b: FormData) => b,
      ...(sent && { fetch: (request: Request) => sendSaying(sent, request) }),
    }
    return call(client.POST as unknown as Send, path as string, init, options, uploadDeadline)
  }

  /** Brings a file. */
  function download<P extends PathsWithMethod<Paths, 'get'>>(
    path: P,
    query: QueryOf<At<Paths, P, 'get'>>,
    options: Options = {},
  ): Promise<Answer<ServedFile>> {
    const init = { params: { query }, parseAs: 'blob' }
    return call(client.GET as unknown as Send, path as string, init, options, downloadDeadline)
  }

  return { get, post, upload, download }
}

/** The fields that Paging answers share. */
export interface Page<T> {
  list: T[]
  total: number
  page: number
  limit: number
  pages: number
}
