/// <reference types="vite/client" />
import 'vue-router'
import type zh from './i18n/zh'

declare module 'vue-router' {
  interface RouteMeta {
    /** Shown without a login. */
    open?: boolean
    /** The page of the menus that it is. */
    page?: string
  }
}

declare module 'vue-i18n' {
  type Messages = typeof zh
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type
  export interface DefineLocaleMessage extends Messages {}
}
