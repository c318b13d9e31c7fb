import vue from '@vitejs/plugin-vue'
import { fileURLToPath } from 'node:url'
import { ElementPlusResolver } from 'unplugin-vue-components/resolvers'
import components from 'unplugin-vue-components/vite'
import { defineConfig } from 'vitest/config'
import { compressed } from '../../../pkg/web/build/compressed.ts'

// The service that answers while one works on the console: that of make run.
const service = process.env.ADMIN_URL ?? 'http://127.0.0.1:8081'

export default defineConfig({
  plugins: [
    vue(),
    components({
      dirs: [],
      dts: false,
      resolvers: [ElementPlusResolver({ importStyle: 'css', directives: false })],
    }),
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
    assetsInlineLimit: 0, // the policy of the page allows no script that is written into it
    reportCompressedSize: false,
  },
  server: { host: '127.0.0.1', port: 5174, proxy: { '/admin': { target: service } } },
  test: {
    environment: 'jsdom',
    include: ['tests/unit/**/*.test.ts'],
    isolate: false, // a document for each file takes more time than its tests
    restoreMocks: true,
    css: false,
    server: { deps: { inline: ['element-plus'] } },
  },
})
