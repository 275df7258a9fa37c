import { defineConfig } from 'vitest/config'
import { patience } from '../patience.ts'

/** The tests that hold for every database, run here on a PostgreSQL server. */
const shared = [
  'test/conformance.test.ts',
  'test/core/{accounts,links,visits}/**/*.test.ts',
  'test/core/kernel/{hooks,load,run}/**/*.test.ts',
  'test/core/app/check-health.test.ts',
  'test/core/lib/compile-once.test.ts',
  'test/core/plugin/collection/*.test.ts',
  'test/core/switching.test.ts',
  'test/plugins/link/{code-rules,external-id,paths}.test.ts',
  'test/plugins/organization/custom-domains/*.test.ts',
]

export default defineConfig({
  test: {
    // Half of the time tests wait for a server, and servers for each other.
    maxWorkers: 4,
    ...patience,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: shared,
          globalSetup: 'test/postgres/one-server.ts',
          setupFiles: ['test/hash-cheaply.ts', 'test/same-examples.ts'],
          pool: 'threads',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: ['test/postgres/*.test.ts'],
          globalSetup: 'test/postgres/one-cluster.ts',
          setupFiles: 'test/hash-cheaply.ts',
          pool: 'forks',
        },
      },
    ],
  },
})
