import { defineConfig } from 'vitest/config'
import { patience } from '../patience.ts'

/** The files of `docs/deploy` and the recipes of the documentation, by the programs that they are for. */
export default defineConfig({
  test: {
    include: ['test/deploy/*.test.ts'],
    ...patience,
    pool: 'forks',
    maxWorkers: 1,
  },
})
