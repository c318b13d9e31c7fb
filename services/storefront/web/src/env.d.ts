/// <reference types="vite/client" />
import 'vue-router'
import type zh from './i18n/zh'
import 'vant'

declare module 'vue-router' {
  interface RouteMeta {
    /** The key of the page's title, where the page does not set one itself. */
    title?: string
    /** Only for shoppers who are logged in. */
    login?: boolean
    /**
     * Keeps the page as it is for the way back: one for each path, one for each path and query, or one for each entry in
     * the history, whose address the page may replace.
     */
    keep?: 'path' | 'query' | 'entry'
    /** The place of the page in the tab bar, which is shown there. */
    tab?: 'home' | 'category' | 'cart' | 'account'
  }
}

declare module 'vue-i18n' {
  type Messages = typeof zh
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type
  export interface DefineLocaleMessage extends Messages {}
}
