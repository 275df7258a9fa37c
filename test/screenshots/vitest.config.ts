import { defineConfig } from 'vitest/config'

/** Pictures are taken with the means of the tests, and fail as they do; `npm run screenshots`. */
export default defineConfig({
  test: {
    include: ['test/screenshots/take.ts'],
    testTimeout: 15 * 60_000,
    pool: 'forks',
    maxWorkers: 1,
  },
})
