import type { Failure } from '@shop/web/answer'
import { sentence } from '@shop/web/failure'
import { i18n } from '@shop/web/i18n'
import { computed, shallowRef, triggerRef } from 'vue'
import { upload } from '@/plain/upload'

/** A picture on its way to the service. */
export interface Sending {
  readonly file: File
  readonly shown: string
  /** The share that has been sent, in percent. */
  share: number
  why: string
  failure?: Failure
}

/** Sends pictures, one after the other, and hands over the address of each that has arrived. */
export function usePictures(arrived: (url: string) => void) {
  const sending = shallowRef<Sending[]>([])
  const busy = computed(() => sending.value.some(({ why }) => why === ''))
  let running = false

  function add(files: Iterable<File>): void {
    const pictures = [...files].filter(({ type }) => type.startsWith('image/'))
    const added = pictures.map((file): Sending => ({ file, shown: URL.createObjectURL(file), share: 0, why: '' }))
    sending.value = [...sending.value, ...added]
    if (!running) void run()
  }

  async function run(): Promise<void> {
    running = true
    let next: Sending | undefined
    while ((next = sending.value.find(({ why }) => why === ''))) await send(next)
    running = false
  }

  async function send(one: Sending): Promise<void> {
    if (!(await isPicture(one.file))) return refuse(one, i18n.global.t('record.input.unreadable'))
    const answer = await upload(one.file, (share) => {
      one.share = Math.round(share * 100)
      triggerRef(sending)
    })
    if (answer.failure) return refuse(one, sentence(answer.failure), answer.failure)
    drop(one)
    arrived(answer.data.url)
  }

  function refuse(one: Sending, why: string, failure?: Failure): void {
    one.why = why
    one.failure = failure
    triggerRef(sending)
  }

  function drop(one: Sending): void {
    URL.revokeObjectURL(one.shown)
    sending.value = sending.value.filter((each) => each !== one)
  }
  return { sending, busy, add, drop }
}

async function isPicture(file: File): Promise<boolean> {
  const picture = await createImageBitmap(file).catch(() => undefined)
  picture?.close()
  return picture !== undefined
}

/** The files of a paste or a drop. */
export function filesOf(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])]
}
