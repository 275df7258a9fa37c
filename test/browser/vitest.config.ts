import { defineConfig } from 'vitest/config'
import { patience } from '../patience.ts'

/** Every detail of these pages: minutes, so `npm run test:pages` runs them, and `npm test` the others. */
export const pages = [
  ...['admin-accounts', 'admin-brand', 'admin-looks', 'admin-operating', 'admin-plans'],
  ...[
    'admin-packages',
    'admin-plugins',
    'analytics',
    'campaigns',
    'domains',
    'hostile-words',
    'import',
    'languages',
    'link-form',
  ],
  ...[
    'from-outside',
    'new-link-form',
    'palette',
    'rules',
    'settings',
    'tags',
    'tokens',
    'api-page',
    'every-page',
  ],
].map(name => `test/browser/dashboard/${name}.test.ts`)

export default defineConfig({
  test: {
    include: pages,
    pool: 'forks',
    isolate: false,
    maxWorkers: 3,
    ...patience,
  },
})
