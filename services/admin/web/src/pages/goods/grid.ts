// Inputs in rows and columns, moved through like the cells of a spreadsheet. A cell has its place in data-row and data-col.

/** Moves from cell to cell: arrows, and Enter downwards, with Shift upwards. */
export function moveInGrid(event: KeyboardEvent): void {
  const from = event.target
  if (event.isComposing || !(from instanceof HTMLInputElement) || from.dataset.row === undefined) return
  const [down, right] = stepOf(event, from)
  if (event.key === 'Enter') event.preventDefault() // it does not send the form
  if (!down && !right) return
  const row = Number(from.dataset.row) + down
  const column = Number(from.dataset.col) + right
  const grid = event.currentTarget as HTMLElement
  const to = grid.querySelector<HTMLInputElement>(`input[data-row="${row}"][data-col="${column}"]`)
  if (!to) return
  event.preventDefault()
  to.focus()
  to.select()
}

function stepOf(event: KeyboardEvent, from: HTMLInputElement): [down: number, right: number] {
  const all = from.selectionStart === 0 && from.selectionEnd === from.value.length
  switch (event.key) {
    case 'ArrowUp':
      return [-1, 0]
    case 'ArrowDown':
      return [1, 0]
    case 'Enter':
      return [event.shiftKey ? -1 : 1, 0]
    case 'ArrowLeft':
      return [0, all || from.selectionEnd === 0 ? -1 : 0]
    case 'ArrowRight':
      return [0, all || from.selectionStart === from.value.length ? 1 : 0]
    default:
      return [0, 0]
  }
}

/** The cells of what was copied from a spreadsheet; undefined where it is one value, which goes where it is pasted. */
export function pastedCells(event: ClipboardEvent): string[][] | undefined {
  const text = event.clipboardData?.getData('text/plain').replace(/\r?\n$/, '') ?? ''
  if (!/[\t\n]/.test(text)) return undefined
  event.preventDefault()
  return text.split(/\r?\n/).map((line) => line.split('\t').map((cell) => cell.trim()))
}
