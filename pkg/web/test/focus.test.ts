// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest'
import { followActs, takeFocus } from '../src/focus'

let navigate: () => void = () => {}
followActs({ beforeEach: (guard) => (navigate = guard) })

const at = (id: string) => document.getElementById(id) as HTMLElement
const focused = () => document.activeElement?.id

beforeEach(() => {
  document.body.innerHTML = `
    <a id="link" href="/">x</a><button id="menu">x</button>
    <main id="main" tabindex="-1"><section id="work"><input id="field" /><button id="next">x</button></section></main>`
  at('link').focus()
  press()
  navigate()
})

function press(): void {
  window.dispatchEvent(new Event('pointerdown'))
}

test('a page that has loaded takes the focus from what led to it', () => {
  takeFocus(at('main'))
  expect(focused()).toBe('main')
})

test('also after the link was pressed twice, or the page beside it', () => {
  press()
  takeFocus(at('field'))
  expect(focused()).toBe('field')

  at('main').focus()
  press()
  takeFocus(at('field'))
  expect(focused()).toBe('field')
})

test('a menu that was opened while the page was loading keeps the focus', () => {
  press()
  at('menu').focus()
  takeFocus(at('field'), at('work'))
  expect(focused()).toBe('menu')
})

test('inside its own part it moves on', () => {
  press()
  at('next').focus()
  takeFocus(at('field'), at('work'))
  expect(focused()).toBe('field')
})

test('what a program has focused is not held for the reader', () => {
  at('menu').focus()
  takeFocus(at('main'))
  expect(focused()).toBe('main')
})
