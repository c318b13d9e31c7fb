import type { Plugin } from 'vite'

/** Takes the fallback of Vant's icon font out, which lies on another host. What is left is in the style itself. */
export function vantIcons(): Plugin {
  return {
    name: 'shop:vant-icons',
    enforce: 'pre',
    transform(code, id) {
      if (!/vant\/(es|lib)\/icon\/index\.css/.test(id)) return undefined
      const local = code.replace(/,\s*url\((["']?)\/\/[^)]*\)\s*format\((["']?)\w+\2\)/g, '')
      if (/url\((["']?)(https?:)?\/\//.test(local)) throw new Error("Vant's icons still name another host")
      return { code: local, map: null }
    },
  }
}
