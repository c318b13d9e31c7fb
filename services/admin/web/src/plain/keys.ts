/** Keeps the Enter that ends the composition of a word, such as of Chinese, from sending a form. Safari reports it late. */
export function notWhileComposing(event: KeyboardEvent): void {
  const late = 229
  if (event.isComposing || event.keyCode === late) event.preventDefault()
}
