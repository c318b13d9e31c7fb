import DOMPurify from 'dompurify'

const purify = DOMPurify(window)

// Links leave the page without telling where from; pictures wait until they are near and never break the layout.
purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.nodeName === 'A' && node.hasAttribute('href')) {
    node.setAttribute('rel', 'noopener noreferrer nofollow')
    if (/^https?:/i.test(node.getAttribute('href') ?? '')) node.setAttribute('target', '_blank')
  }
  if (node.nodeName === 'IMG') {
    node.setAttribute('loading', 'lazy')
    node.setAttribute('decoding', 'async')
    if (!node.hasAttribute('alt')) node.setAttribute('alt', '')
  }
})

// Styles go before the text is read: already reading one would break the policy of the page, even though nothing is shown.
const elements = /<style\b[\s\S]*?(?:<\/style\s*>|$)/gi
const attributes = /(<[a-z][^<>]*?[\s/])style(?=\s*=)/gi
const unstyled = (markup: string) => markup.replace(elements, '').replace(attributes, '$1data-style')

// Alignment is kept as data, since a page without inline styles shows none of them.
purify.addHook('beforeSanitizeAttributes', (node) => {
  const align = /(?:^|;)\s*text-align:\s*(left|center|right|justify)\s*(?:;|$)/i.exec(
    node.getAttribute?.('data-style') ?? '',
  )
  if (align?.[1]) node.setAttribute('data-align', align[1].toLowerCase())
})

/** Markup of editors as markup that is safe to show: no script, no style, no form, nothing from another program. */
export function clean(markup: string): string {
  return purify.sanitize(unstyled(markup), {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['style', 'form', 'input', 'button', 'textarea', 'select', 'dialog', 'h1', 'h2'],
    FORBID_ATTR: ['style', 'class', 'id', 'name', 'srcset'],
    ALLOW_DATA_ATTR: false,
    ADD_ATTR: ['data-align'],
  })
}
