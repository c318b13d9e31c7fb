import { Editor, Extension } from '@tiptap/core'
import Image from '@tiptap/extension-image'
import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table'
import StarterKit from '@tiptap/starter-kit'
import { clean } from '@shop/web/richtext'

// The editor of rich text. It has no style element of its own, since the policy of the page allows files alone.

const aligned = ['paragraph', 'heading']

/** Alignment is data while it is edited, and a style where it is stored: the page allows no styles in its markup. */
const Align = Extension.create({
  name: 'align',
  addGlobalAttributes: () => [
    {
      types: aligned,
      attributes: {
        align: {
          default: null,
          parseHTML: (element) => element.getAttribute('data-align') ?? element.getAttribute('align'),
          renderHTML: ({ align }) => (align ? { 'data-align': align as string } : {}),
        },
      },
    },
  ],
})

export interface Setting {
  element: HTMLElement
  /** The id of the element to write in. */
  id: string
  label: string
  text: string
  changed: (html: string) => void
  /** Takes pictures that were pasted or dropped. */
  pictures: (files: File[]) => void
}

export function makeEditor({ element, id, label, text, changed, pictures }: Setting): Editor {
  const taken = (event: Event, data: DataTransfer | null) => {
    const files = [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
    if (files.length === 0 || data?.types.includes('text/html')) return false
    event.preventDefault()
    pictures(files)
    return true
  }
  return new Editor({
    element,
    injectCSS: false,
    content: editable(text),
    extensions: [
      StarterKit.configure({ link: { openOnClick: false, HTMLAttributes: { target: null, rel: null } } }),
      Image,
      Align,
      // Tab leaves the editor, also from a table, which has no widths of its own.
      Table.extend({ addKeyboardShortcuts: () => ({}), renderHTML: () => ['table', ['tbody', 0]] }),
      TableRow,
      TableCell,
      TableHeader,
    ],
    editorProps: {
      attributes: { id, role: 'textbox', 'aria-multiline': 'true', 'aria-label': label },
      transformPastedHTML: editable,
      handlePaste: (_, event) => taken(event, event.clipboardData),
      handleDrop: (_, event) => taken(event, event.dataTransfer),
    },
    onUpdate: ({ editor }) => changed(stored(editor.getHTML())),
  })
}

/** Markup of the service, or of another program, as the editor takes it: cleaned as it is where it is shown. */
export const editable = (html: string) => clean(html)

/** Markup of the editor as it is stored. */
export function stored(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  if (!body.textContent.trim() && !body.querySelector('img, hr, table')) return ''
  // The editor keeps a line to write in at the end.
  while (body.lastElementChild?.localName === 'p' && !body.lastElementChild.hasChildNodes())
    body.lastElementChild.remove()
  return body.innerHTML.replace(/(<(?:p|h\d)) data-align="(\w+)"/g, '$1 style="text-align: $2"')
}

/** Elements that say no more than others do, or that the editor writes in another way. */
const alike = new Set(['div', 'span', 'font', 'tbody', 'thead', 'colgroup', 'col', 'section', 'article', 'p', 'br'])
const sameAs: Readonly<Record<string, string>> = { b: 'strong', i: 'em', strike: 's', del: 's' }

/** The elements of a text that the editor does not know, so that they would go with the first change. */
export function lost(html: string, editor: Editor): string[] {
  const left = namesIn(editor.getHTML())
  return [...namesIn(editable(html))].filter((name) => !left.has(name))
}

function namesIn(html: string): Set<string> {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const names = [...body.querySelectorAll('*')].map(({ localName }) => sameAs[localName] ?? localName)
  return new Set(names.filter((name) => !alike.has(name)))
}
