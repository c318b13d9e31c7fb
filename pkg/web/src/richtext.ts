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

/** Markup of editors as markup that is safe to show: no script, no style, no form, nothing from another program. */
export function clean(markup: string): string {
  return purify.sanitize(markup, {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['style', 'form', 'input', 'button', 'textarea', 'select', 'dialog', 'h1', 'h2'],
    FORBID_ATTR: ['style', 'class', 'id', 'name', 'srcset'],
    ALLOW_DATA_ATTR: false,
  })
}
