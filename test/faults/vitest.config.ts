import { defineConfig } from 'vitest/config'
import { patience } from '../patience.ts'

/** The long tests: the same scenes as in `test/e2e`, many times, with the numbers printed. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    ...patience,
    pool: 'forks',
    maxWorkers: 1,
  },
})
