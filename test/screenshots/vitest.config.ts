import { defineConfig } from 'vitest/config'
import { patience } from '../patience.ts'

/** `npm run screenshots` takes the pictures as tests, so that they fail like tests. */
export default defineConfig({
  test: {
    include: ['test/screenshots/take.ts'],
    ...patience,
    pool: 'forks',
    maxWorkers: 1,
  },
})
