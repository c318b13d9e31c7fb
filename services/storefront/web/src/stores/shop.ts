import { defineStore } from 'pinia'
import { ref } from 'vue'
import { api } from '@/api'
import type { Schema } from '@/api'
import { shopName } from '@shop/web/title'

/** What the shop says of itself. It is read once, when the page has nothing else to do. */
export const useShop = defineStore('shop', () => {
  const about = ref<Schema<'home.About'>>()
  async function read(): Promise<void> {
    const { data } = await api.get('/wx/home/about')
    if (!data) return
    about.value = data
    shopName.value = data.name
  }
  return { about, read }
})
