import { defineConfig } from 'vitest/config'
import { patience } from '../patience.ts'

/** Tests of the files in `docs/deploy` and the recipes of the documentation, with the programs that they are for. */
export default defineConfig({
  test: {
    include: ['test/deploy/*.test.ts'],
    ...patience,
    pool: 'forks',
    maxWorkers: 1,
  },
})
