import { useSubmission } from '@shop/web/submission'
import { ref, type Ref } from 'vue'
import { useI18n } from 'vue-i18n'
import { useRoute, useRouter } from 'vue-router'
import { api } from '@/api'
import type { Schema } from '@/api'
import { useLoginFirst } from '@/composables/login'
import { useCart, type Choice as CartChoice } from '@/stores/cart'
import { useToasts } from '@shop/web/toasts'
import type { Choice } from './choice'

/**
 * What is done with what was chosen: into the cart, to the checkout at once, or to the checkout with a group offer; `join`
 * is the group that one joins by it.
 */
export function usePurchase(detail: Ref<Schema<'catalog.Detail'> | undefined>, choice: Choice, join?: number) {
  const { t } = useI18n()
  const route = useRoute()
  const router = useRouter()
  const toasts = useToasts()
  const cart = useCart()
  const loginFirst = useLoginFirst()
  /** Whether the sheet with the specifications is open. */
  const choosing = ref(false)
  /** The group offer that is about to be used, 0 for none. */
  const rule = ref(0)

  const adding = useSubmission('cart.add', (row: CartChoice, key) => cart.add(row, key))
  const buying = useSubmission('cart.fastadd', (row: { goodsId: number; productId: number; number: number }, key) =>
    api.post('/wx/cart/fastadd', row, { key }),
  )

  /** The chosen row; where something is still to be chosen, the sheet opens, or says what is missing. */
  function chosen(): CartChoice | undefined {
    const info = detail.value?.info
    const product = choice.product.value
    if (!info) return undefined
    if (!product || product.number <= 0) {
      const inPlace = document.querySelector<HTMLElement>('main [data-missing] button:not(:disabled)')
      if ((choosing.value || inPlace) && choice.missing.value)
        toasts.info(t('goods.pick', { name: choice.missing.value }))
      if (inPlace) inPlace.focus()
      else choosing.value = true
      return undefined
    }
    return {
      goodsId: info.id,
      productId: product.id,
      number: choice.number.value,
      name: info.name,
      picUrl: choice.picture.value,
      price: product.price,
      specifications: product.specifications,
    }
  }

  async function add(): Promise<void> {
    const row = chosen()
    const answer = row && (await adding.submit(row))
    if (!answer) return
    if (answer.failure) return toasts.error(answer.failure)
    choosing.value = false
    toasts.success(t('goods.added'), { text: t('goods.toCart'), act: () => void router.push({ name: 'cart' }) })
  }

  async function buy(group = rule.value): Promise<void> {
    rule.value = group
    const row = chosen()
    if (!row) return
    const { goodsId, productId, number } = row
    // Who logs in first finds the same choice again.
    const again = { path: route.path, query: { ...route.query, product: productId, number, group: group || undefined } }
    if (!loginFirst(again)) return
    const answer = await buying.submit({ goodsId, productId, number })
    if (!answer) return
    if (answer.failure) return toasts.error(answer.failure)
    choosing.value = false
    const link = group && (join || route.query.link) ? String(join ?? route.query.link) : undefined
    await router.push({ name: 'checkout', query: { cart: answer.data, group: group || undefined, link } })
  }
  return { choosing, rule, adding: adding.busy, buying: buying.busy, add, buy }
}
