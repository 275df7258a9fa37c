import { defineConfig } from 'vitest/config'

/** Every detail of these pages: minutes, so `npm run test:pages` runs them, and `npm test` the others. */
export const pages = [
  ...['admin-accounts', 'admin-brand', 'admin-looks', 'admin-operating', 'admin-plans'],
  ...['admin-plugins', 'analytics', 'campaigns', 'domains', 'hostile-words', 'link-form'],
  ...['rules', 'settings', 'tags', 'tokens'],
].map(name => `test/browser/dashboard/${name}.test.ts`)

export default defineConfig({
  test: {
    include: pages,
    pool: 'forks',
    maxWorkers: 3,
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
