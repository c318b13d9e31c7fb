import { defineStore } from 'pinia'
import { ref } from 'vue'
import { api } from '@/api'
import type { Schema } from '@/api'
import { shopName } from '@shop/web/title'

/** How to reach the shop. It is read once, by the first part that shows it. */
export const useShop = defineStore('shop', () => {
  const about = ref<Schema<'home.About'>>()
  async function read(): Promise<void> {
    if (about.value) return
    const { data } = await api.get('/wx/home/about')
    if (!data) return
    about.value = data
    shopName.value = data.name
  }
  return { about, read }
})
