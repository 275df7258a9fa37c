import { defineConfig } from 'vitest/config'
import { builtProgram } from '../built-program.ts'
import { patience } from '../patience.ts'

/** Long tests: the scenes of `test/e2e`, repeated many times; they print their numbers. */
export default defineConfig({
  plugins: [builtProgram],
  test: {
    include: ['test/faults/**/*.test.ts'],
    ...patience,
    pool: 'forks',
    maxWorkers: 1,
  },
})
