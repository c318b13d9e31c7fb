import { type Answer, opened } from './answer'

/** A file that the service answers with. */
export interface ServedFile {
  readonly name: string
  readonly content: Blob
}

/** Reads an answer that is a file; a refusal comes as the envelope of every other answer. */
export async function served(content: Blob, { status, headers }: Response): Promise<Answer<ServedFile>> {
  if (headers.get('Content-Type')?.startsWith('application/json')) {
    return opened(status, JSON.parse(await content.text()), headers)
  }
  const name = /filename="?([^";]+)/.exec(headers.get('Content-Disposition') ?? '')?.[1] ?? 'file'
  return { data: { name, content } }
}

/** Hands a file to the browser, which stores it as it stores what one downloads. */
export function saveFile(file: ServedFile): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file.content)
  link.download = file.name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/**
 * Sends a request as fetch does, and says how much of it has been sent, from 0 to 1. fetch itself does not say it.
 */
export async function sendSaying(said: (share: number) => void, request: Request): Promise<Response> {
  const body = await request.arrayBuffer()
  return new Promise((resolve, reject) => {
    const sender = new XMLHttpRequest()
    sender.open(request.method, request.url)
    request.headers.forEach((value, name) => sender.setRequestHeader(name, value))
    sender.responseType = 'blob'
    sender.upload.onprogress = (event) => said(event.total ? event.loaded / event.total : 0)
    sender.onload = () =>
      resolve(new Response(sender.response as Blob, { status: sender.status, headers: headersOf(sender) }))
    sender.onerror = () => reject(new TypeError('the request failed'))
    sender.onabort = () => reject(new DOMException('the request was stopped', 'AbortError'))
    request.signal.addEventListener('abort', () => sender.abort())
    if (request.signal.aborted) sender.abort()
    else sender.send(body)
  })
}

function headersOf(sender: XMLHttpRequest): Headers {
  const lines = sender.getAllResponseHeaders().trim().split(/\r?\n/)
  return new Headers(lines.map((line) => line.split(/: ?(.*)/s, 2) as [string, string]))
}
