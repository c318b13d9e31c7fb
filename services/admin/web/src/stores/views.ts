import type { Answer } from '@shop/web/answer'
import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import { api, type Schema } from '@/api'

/** The lists that the operator has saved with their filters and order. The service keeps them. */
export const useViews = defineStore('views', () => {
  const all = shallowRef<readonly Schema<'access.SavedView'>[]>()

  /** Reads them. */
  async function load(): Promise<Answer<unknown>> {
    const answer = await api.get('/admin/profile/views')
    if (answer.data) all.value = answer.data
    return answer
  }

  /** Saves one, in place of one of the same page and name. */
  async function save(page: string, name: string, query: string): Promise<Answer<unknown>> {
    const answer = await api.post('/admin/profile/view/save', { page, name, query })
    return answer.failure ? answer : load()
  }

  /** Removes one. */
  async function drop(id: number): Promise<Answer<unknown>> {
    const answer = await api.post('/admin/profile/view/drop', { id })
    return answer.failure ? answer : load()
  }
  return { all, load, save, drop }
})
