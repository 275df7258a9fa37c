import { defineConfig } from 'vitest/config'
import { patience } from '../patience.ts'

/** Tests of the files in `docs/deploy` and the recipes of the documentation, with the programs that they are for. */
export default defineConfig({
  test: {
    include: ['test/deploy/*.test.ts'],
    ...patience,
    // They run at night alone, with all cases.
    env: { LINNET_TEST_NIGHT: '1' },
    pool: 'forks',
    maxWorkers: 1,
  },
})
