import type { Component } from 'vue'

/** Pages of the menus that have a screen of their own, by id. All other pages with a list get the plain one. */
export const screens: Readonly<Record<string, () => Promise<Component>>> = {}
