import { computed, onActivated, toValue, watch, type MaybeRefOrGetter } from 'vue'
import { useI18n } from 'vue-i18n'
import { useRoute } from 'vue-router'
import { pageTitle } from '@shop/web/title'

/** Gives the page its title, such as the name of the goods, as soon as it is known. */
export function useTitle(title: MaybeRefOrGetter<string | undefined>): void {
  const route = useRoute()
  const { t } = useI18n()
  const path = route.path
  const text = computed(() => toValue(title) ?? (route.meta.title ? t(route.meta.title) : undefined))
  const set = () => {
    if (route.path === path && text.value !== undefined) pageTitle.value = text.value
  }
  watch(text, set, { immediate: true })
  onActivated(set)
}
