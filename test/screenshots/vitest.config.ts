import { defineConfig } from 'vitest/config'
import { patience } from '../patience.ts'

/** Pictures are taken with the means of the tests, and fail as they do; `npm run screenshots`. */
export default defineConfig({
  test: {
    include: ['test/screenshots/take.ts'],
    ...patience,
    pool: 'forks',
    maxWorkers: 1,
  },
})
