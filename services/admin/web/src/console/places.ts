import type { Component } from 'vue'
import { areas, menus } from '@/api/console'
import { screens, withList } from '@/screens'
import type { Area, MenuPage } from './shape'

/** A page of the menus that the console has: its address, and what is shown there. */
export interface Place {
  readonly path: string
  readonly page: MenuPage
  readonly screen: Component | (() => Promise<Component>)
  /** The area whose plain list it shows; absent for a page with none. */
  readonly area?: Area
}

const plain = () => import('@/plain/PlainPage.vue')

function placeOf(page: MenuPage): Place[] {
  const path = '/' + page.id
  const own = screens[page.id]
  const area = Object.values(areas).find((a) => a.page === page.id && a.list)
  if (own) return [{ path, page, screen: own, ...(area && withList.has(page.id) ? { area } : {}) }]
  return area ? [{ path, page, screen: plain, area }] : []
}

/** All pages of the menus that the console has, in the order of the menus. */
export const places: readonly Place[] = menus.flatMap((group) => group.pages.flatMap(placeOf))

/** The place of a page of the menus. */
export function placeFor(page: string): Place | undefined {
  return places.find((p) => p.page.id === page)
}
