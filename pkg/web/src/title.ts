import { ref, watchEffect } from 'vue'
import { i18n } from './i18n'
import { shopNamed } from './settings'

/** The title of the page that is shown, without the shop's name. */
export const pageTitle = ref('')

/** The shop's own name, once it is known. */
export const shopName = ref(shopNamed())

/** How much is new, before the title; 0 is not shown. */
export const titleCount = ref(0)

watchEffect(() => {
  if (!i18n.global.te('common.shop')) return // the texts are still on their way
  const shop = shopName.value || i18n.global.t('common.shop')
  const count = titleCount.value > 0 ? `(${titleCount.value}) ` : ''
  document.title = count + (pageTitle.value ? `${pageTitle.value} · ${shop}` : shop)
})
