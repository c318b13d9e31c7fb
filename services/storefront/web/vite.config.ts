import { VantResolver } from '@vant/auto-import-resolver'
import vue from '@vitejs/plugin-vue'
import { fileURLToPath } from 'node:url'
import components from 'unplugin-vue-components/vite'
import { defineConfig } from 'vitest/config'
import { compressed } from '../../../pkg/web/build/compressed.ts'
import { offline } from './build/offline.ts'
import { routes } from './build/routes.ts'
import { vantIcons } from './build/vant.ts'

// The service that answers while one works on the pages: that of make run.
const service = process.env.STOREFRONT_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [
    vue(),
    components({ dirs: [], dts: false, resolvers: [VantResolver()] }),
    vantIcons(),
    offline(),
    routes(),
    compressed(),
  ],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  define: { __INTLIFY_JIT_COMPILATION__: true, __INTLIFY_PROD_DEVTOOLS__: false, __VUE_I18N_LEGACY_API__: false },
  build: {
    outDir: process.env.WEB_DIST ?? 'dist',
    emptyOutDir: true,
    target: 'es2022',
    license: { fileName: 'licenses.txt' }, // of the libraries in the built files, as they ask
    modulePreload: { polyfill: false },
    // Nothing is put into the page or a style as data, which the policy of the page does not allow for scripts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // One file, which is small, and whose rules keep their order whichever page comes first.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What several pages share is one file: a page is itself, this and the application, not a file for each part.
          groups: [{ name: 'shared', test: /\/(src|node_modules)\//, minShareCount: 3, maxModuleSize: 12_000 }],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    // Pictures carry the service's own address, and the pages' policy is not in force here.
    proxy: { '/wx': { target: service } },
  },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.ts', 'tests/unit/**/*.test.ts', '../../../pkg/web/test/**/*.test.ts'],
    isolate: false, // a document for each file takes more time than its tests
    restoreMocks: true,
    css: false,
  },
})
