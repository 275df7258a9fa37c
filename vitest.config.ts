import { defineConfig } from 'vitest/config'
import { pages, retry } from './test/browser/vitest.config.ts'
import { tagsFromOutside } from './test/outside/tags-from-outside.ts'
import { patience } from './test/patience.ts'

/** How tests run depends on what they need: in a thread, or one after another beside real processes. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    ...patience,
    projects: [
      // All tests not named below test a part, or the whole app within this process.
      inProcess('unit', ['test/*/**/*.test.ts'], ['test/{e2e,browser,faults,postgres,deploy}/**']),
      inProcess('conformance', ['test/conformance.test.ts']),
      inProcess('architecture', ['test/*.test.ts'], ['test/conformance.test.ts']),
      // Any of our features could be a third-party plugin: this packs the tags and installs them as one.
      {
        extends: true,
        plugins: [tagsFromOutside],
        test: {
          name: 'outside',
          include: ['test/plugins/organization/tags.test.ts'],
          globalSetup: 'test/outside/install.ts',
          setupFiles: 'test/hash-cheaply.ts',
          sequence: { groupOrder: 0 },
        },
      },
      withProcesses('http', ['test/e2e/**/*.test.ts'], { isolate: false }),
      withProcesses('browser', ['test/browser/**/*.test.ts'], {
        exclude: pages,
        isolate: false,
        retry,
      }),
    ],
  },
})

/** Files share imported modules: none of them changes those, and importing them again would take half the time. */
function inProcess(name: string, include: string[], exclude: string[] = []) {
  return {
    extends: true,
    test: {
      name,
      include,
      exclude,
      setupFiles: 'test/hash-cheaply.ts',
      pool: 'threads',
      isolate: false,
      sequence: { groupOrder: 0 },
    },
  } as const
}

/**
 * Servers and browsers start when all other tests are done, four files at a time on two processors, because
 * they spend half the time waiting.
 */
function withProcesses(
  name: string,
  include: string[],
  more: {
    readonly exclude?: string[]
    readonly isolate?: boolean
    readonly retry?: typeof retry
  } = {},
) {
  const sequence = { groupOrder: 1 }
  return {
    extends: true,
    test: { name, include, ...more, pool: 'forks', maxWorkers: 4, sequence },
  } as const
}
