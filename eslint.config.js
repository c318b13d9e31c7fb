import prettier from 'eslint-config-prettier'
import vue from 'eslint-plugin-vue'
import ts from 'typescript-eslint'

// The rules for all pages: those of Vue and TypeScript in their strict form, and what this project adds.
export default ts.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/schema.d.ts', '**/api/console.ts'] },
  ...ts.configs.strict,
  ...vue.configs['flat/recommended'],
  {
    rules: {
      'max-lines': ['error', { max: 300, skipBlankLines: true }],
      'no-restricted-globals': ['error', { name: 'fetch', message: 'Ask through the api module.' }],
      'no-console': 'error',
      eqeqeq: 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      'vue/multi-word-component-names': 'off',
    },
  },
  {
    files: ['**/*.vue'],
    languageOptions: { parserOptions: { parser: ts.parser } },
    rules: {
      'vue/block-lang': ['error', { script: { lang: 'ts' } }],
      'vue/block-order': ['error', { order: ['script', 'template', 'style'] }],
      'vue/component-api-style': ['error', ['script-setup']],
      'vue/no-static-inline-styles': 'error',
      'vue/require-default-prop': 'off', // what is optional may be absent, says its type
      'vue/no-v-html': 'error',
      'max-lines': ['error', 250],
    },
  },
  { files: ['**/build/worker.js'], rules: { 'no-restricted-globals': 'off' } }, // it stands where requests pass
  prettier,
)
