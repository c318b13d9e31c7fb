import { failed, type Answer } from '@shop/web/answer'
import type { Options } from '@shop/web/api'
import type { ServedFile } from '@shop/web/file'
import { api } from '@/api'
import { useSession } from '@/stores/session'
import type { Act } from './shape'

type Send = (path: string, values: object, options: Options) => Promise<Answer<unknown>>

/** A row of a list, or a record. Which members it has its declaration says. */
export type Row = Readonly<Record<string, unknown>>

/**
 * Calls an operation by its declaration. One that the operator may not call is not sent. Where the service refuses it
 * nevertheless, a right was taken away meanwhile, and what they may do is read again.
 */
export function call<T>(act: Act, values: object, options: Options = {}): Promise<Answer<T>> {
  return asked(act, (act.method === 'GET' ? api.get : api.post) as unknown as Send, values, options)
}

/** Brings the file that an operation answers with, as call does. */
export function download(act: Act, values: object): Promise<Answer<ServedFile>> {
  return asked(act, api.download as unknown as Send, values, {})
}

async function asked<T>(act: Act, send: Send, values: object, options: Options): Promise<Answer<T>> {
  const session = useSession()
  if (!session.may(act.permission)) return failed('refused', '', { errno: noPermission })
  const answer = (await send(act.path, values, options)) as Answer<T>
  if (answer.failure?.errno === noPermission) void session.read()
  return answer
}

/** The number of the refusal of a call without its permission. */
export const noPermission = 506
