import type { RouteLocationRaw } from 'vue-router'

/** Where a banner leads: goods by their number or by the address that other clients use, another address, or nowhere. */
export function bannerTarget(link: string): { to?: RouteLocationRaw; href?: string } {
  const text = link.trim()
  const goods = /^(\d+)$|(?:^|\/)goods\/(?:goods\?(?:.*&)?id=)?(\d+)$/.exec(text)
  const id = goods?.[1] ?? goods?.[2]
  if (id) return { to: { name: 'goods', params: { id } } }
  const topic = /(?:^|\/)(?:topics?|topicDetail)\/(?:\w+\?(?:.*&)?id=)?(\d+)$/.exec(text)
  if (topic?.[1]) return { to: { name: 'topic', params: { id: topic[1] } } }
  if (/^https?:\/\//i.test(text)) return { href: text }
  if (/^\/(?!\/)[\w/?=&%-]*$/.test(text)) return { to: text }
  return {}
}
