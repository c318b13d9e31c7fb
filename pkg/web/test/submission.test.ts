import { expect, it } from 'vitest'
import type { Answer } from '../src/answer'
import { useSubmission } from '../src/submission'

it('keeps its key until an answer has come', async () => {
  const keys: string[] = []
  const answers: Answer<number>[] = [
    { failure: { kind: 'slow', text: '' } },
    { failure: { kind: 'refused', text: 'no', errno: 711 } },
    { data: 1 },
  ]
  const { submit } = useSubmission('test', (_: { a: number }, key) => {
    keys.push(key)
    return Promise.resolve(answers.shift() as Answer<number>)
  })
  for (let i = 0; i < 3; i++) await submit({ a: 1 })
  expect(keys[0]).toBe(keys[1]) // the answer was lost
  expect(keys[2]).not.toBe(keys[1]) // it was refused, and is another attempt
  expect(sessionStorage.getItem('shop.key.test')).toBeNull()
})

it('sends a double tap once', async () => {
  let calls = 0
  const { submit } = useSubmission('twice', async () => {
    calls++
    await Promise.resolve()
    return { data: calls }
  })
  const [first, second] = await Promise.all([submit({}), submit({})])
  expect([first, second, calls]).toEqual([{ data: 1 }, undefined, 1])
})

it('takes a new key for another body', async () => {
  const keys: string[] = []
  const { submit } = useSubmission('changed', (_: number, key) => {
    keys.push(key)
    return Promise.resolve({ failure: { kind: 'offline', text: '' } } as Answer<number>)
  })
  await submit(1)
  await submit(2)
  expect(keys[0]).not.toBe(keys[1])
})
