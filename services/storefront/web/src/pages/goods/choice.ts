import { computed, ref, watch, type Ref } from 'vue'
import type { Schema } from '@/api'

type Detail = Schema<'catalog.Detail'>
/** So few pieces that it is worth saying. */
export const few = 10

export type Product = Schema<'catalog.Product'>

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && [...a].sort().join('\n') === [...b].sort().join('\n')
}

/** What the shopper chooses of goods: a value of each specification, which is a product, and the pieces of it. */
export function useChoice(detail: Ref<Detail | undefined>) {
  const picked = ref<Record<string, string>>({})
  const number = ref(1)
  const groups = computed(() => detail.value?.specificationList ?? [])
  const products = computed(() => detail.value?.productList ?? [])

  /** Begins with what leaves no choice, or with a product that is named. */
  function begin(productId?: number): void {
    picked.value = {}
    number.value = 1
    const only = products.value.length === 1 ? products.value[0] : undefined
    const wanted = products.value.find((p) => p.id === productId) ?? only
    for (const g of groups.value) {
      const value = g.valueList.length === 1 ? g.valueList[0]?.value : undefined
      const named = g.valueList.find((v) => wanted?.specifications.includes(v.value))?.value
      const chosen = named ?? value
      if (chosen !== undefined) picked.value[g.name] = chosen
    }
  }

  const missing = computed(() => groups.value.find((g) => picked.value[g.name] === undefined)?.name)
  const product = computed<Product | undefined>(() => {
    if (missing.value !== undefined) return undefined
    const values = groups.value.map((g) => picked.value[g.name] ?? '')
    return (
      products.value.find((p) => same(p.specifications, values)) ??
      (groups.value.length ? undefined : products.value[0])
    )
  })

  /** Whether any piece is left with that value beside what is picked of the other specifications. */
  function available(group: string, value: string): boolean {
    const others = groups.value.filter((g) => g.name !== group).map((g) => picked.value[g.name])
    return products.value.some(
      (p) =>
        p.number > 0 &&
        p.specifications.includes(value) &&
        others.every((o) => o === undefined || p.specifications.includes(o)),
    )
  }

  function pick(group: string, value: string): void {
    const { [group]: before, ...rest } = picked.value
    picked.value = before === value ? rest : { ...rest, [group]: value }
  }

  /** How many pieces are left of all products. */
  const left = computed(() => products.value.reduce((sum, p) => sum + Math.max(0, p.number), 0))
  const soldOut = computed(() => products.value.every((p) => p.number <= 0))
  const onSale = computed(() => detail.value?.info.isOnSale === true && !soldOut.value)
  const stock = computed(() => product.value?.number ?? 0)
  /** Whether the price is the lowest of several, as long as nothing is chosen. */
  const from = computed(() => !product.value && new Set(products.value.map((p) => p.price)).size > 1)
  const price = computed(() => product.value?.price ?? detail.value?.info.retailPrice ?? 0)
  const picture = computed(() => product.value?.url || detail.value?.info.picUrl || '')
  const words = computed(() => groups.value.map((g) => picked.value[g.name]).filter((v) => v !== undefined))
  watch(stock, (most) => {
    if (most > 0 && number.value > most) number.value = most
  })
  return {
    picked,
    number,
    groups,
    missing,
    product,
    available,
    pick,
    begin,
    soldOut,
    left,
    onSale,
    stock,
    from,
    price,
    picture,
    words,
  }
}

export type Choice = ReturnType<typeof useChoice>
