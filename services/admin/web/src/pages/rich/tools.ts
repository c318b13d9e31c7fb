import type { Editor } from '@tiptap/core'

/** A button above the editor. */
export interface Tool {
  /** The key of its name. */
  readonly name: string
  /** What is written on it. */
  readonly sign: string
  readonly on: boolean
  readonly run: () => void
}

const levels = [3, 4] as const
const aligns = { left: '⇤', center: '↔', right: '⇥' } as const

/** What marks text and sets paragraphs, as the place of the cursor has it. */
export function toolsOf(editor: Editor): Tool[] {
  const chain = () => editor.chain().focus()
  const simple = (name: string, sign: string, run: () => void): Tool => ({ name, sign, on: editor.isActive(name), run })
  const align = (to: string | null) =>
    chain().updateAttributes('paragraph', { align: to }).updateAttributes('heading', { align: to }).run()
  return [
    simple('bold', 'B', () => chain().toggleBold().run()),
    simple('italic', 'I', () => chain().toggleItalic().run()),
    simple('underline', 'U', () => chain().toggleUnderline().run()),
    simple('strike', 'S', () => chain().toggleStrike().run()),
    ...levels.map((level) => ({
      name: `heading${level}`,
      sign: `H${level - 2}`,
      on: editor.isActive('heading', { level }),
      run: () => chain().toggleHeading({ level }).run(),
    })),
    simple('bulletList', '•', () => chain().toggleBulletList().run()),
    simple('orderedList', '1.', () => chain().toggleOrderedList().run()),
    simple('blockquote', '❝', () => chain().toggleBlockquote().run()),
    ...Object.entries(aligns).map(([name, sign]) => ({
      name,
      sign,
      on: name !== 'left' && editor.isActive({ align: name }),
      run: () => align(name === 'left' ? null : name),
    })),
  ]
}

/** What changes the table that the cursor is in. */
export function tableTools(editor: Editor): Pick<Tool, 'name' | 'run'>[] {
  const chain = () => editor.chain().focus()
  return [
    { name: 'addRow', run: () => chain().addRowAfter().run() },
    { name: 'addColumn', run: () => chain().addColumnAfter().run() },
    { name: 'deleteRow', run: () => chain().deleteRow().run() },
    { name: 'deleteColumn', run: () => chain().deleteColumn().run() },
    { name: 'deleteTable', run: () => chain().deleteTable().run() },
  ]
}
