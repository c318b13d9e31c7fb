/** Where a banner leads: to a page of the shop by its name or its path, to another address, or nowhere. */
export interface BannerTarget {
  to?: string | { name: 'goods' | 'topic'; params: { id: string } }
  href?: string
}

/** The target of a banner's link: goods by their number or by the address that other clients use, or an address. */
export function bannerTarget(link: string): BannerTarget {
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
