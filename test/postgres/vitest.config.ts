import { defineConfig } from 'vitest/config'
import { isNight } from '../at-night.ts'
import { patience } from '../patience.ts'

/** The tests that hold for every database, run here on a PostgreSQL server. */
const shared = [
  'test/api/target-schemes.test.ts',
  'test/conformance.test.ts',
  'test/core/{accounts,links,visits}/**/*.test.ts',
  'test/core/kernel/{hooks,load,run}/**/*.test.ts',
  'test/core/app/check-health.test.ts',
  'test/core/lib/compile-once.test.ts',
  'test/core/plugin/collection/*.test.ts',
  'test/core/switching.test.ts',
  'test/plugins/analytics/{left-out-visits,tracking-pixel}.test.ts',
  'test/api/dry-run.test.ts',
  'test/plugins/developer/yourls.test.ts',
  'test/plugins/link/{code-rules,confirmation,external-id,paths}.test.ts',
  'test/plugins/organization/custom-domains/*.test.ts',
  'test/plugins/organization/exports/*.test.ts',
  'test/plugins/organization/imports/{engine,report-totals}.test.ts',
  'test/plugins/organization/notices.test.ts',
  'test/plugins/organization/second-factor/*.test.ts',
  'test/plugins/organization/sign-up.test.ts',
]

/** What takes most of the time: on PostgreSQL it is tried at night alone. */
export const onServerAtNight = [
  'test/api/dry-run.test.ts',
  'test/core/links/write/delete-links.test.ts',
  'test/core/switching.test.ts',
  'test/core/visits/collect/recorder.test.ts',
  'test/core/visits/collect/writer-in-thread.test.ts',
  'test/core/visits/upkeep/age-counts.test.ts',
  'test/core/visits/upkeep/growth.test.ts',
  'test/core/visits/upkeep/remove-counts.test.ts',
  'test/core/visits/upkeep/tidy-counts.test.ts',
  'test/plugins/developer/yourls.test.ts',
  'test/plugins/organization/exports/round-trip.test.ts',
  'test/plugins/organization/notices.test.ts',
  'test/postgres/between-databases.test.ts',
  'test/postgres/dump.test.ts',
  'test/postgres/interrupted-move.test.ts',
  'test/postgres/last-minutes.test.ts',
  'test/postgres/leaving-clients.test.ts',
  'test/postgres/move.test.ts',
  'test/postgres/network.test.ts',
  'test/postgres/shared-jobs.test.ts',
  'test/postgres/taken-over-imports.test.ts',
  'test/postgres/visit-limit.test.ts',
  'test/postgres/workers.test.ts',
]
const exclude = isNight ? [] : onServerAtNight

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
          exclude,
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
          exclude,
          globalSetup: 'test/postgres/one-cluster.ts',
          setupFiles: 'test/hash-cheaply.ts',
          pool: 'forks',
        },
      },
    ],
  },
})
