import { defineConfig } from 'vitest/config'

/** The long tests: the same scenes as in `test/e2e`, many times, with the numbers printed. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    testTimeout: 15 * 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    maxWorkers: 1,
  },
})
