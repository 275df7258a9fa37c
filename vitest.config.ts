import { defineConfig } from 'vitest/config'
import { pages } from './test/browser/vitest.config.ts'
import { tagsFromOutside } from './test/outside/tags-from-outside.ts'
import { patience } from './test/patience.ts'

/** What the tests need decides how they run: in a thread, or one after another beside real processes. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    ...patience,
    projects: [
      // What is not named below is a test of a part or of the whole app, in this process.
      inProcess('unit', ['test/*/**/*.test.ts'], ['test/{e2e,browser,faults,postgres,deploy}/**']),
      inProcess('conformance', ['test/conformance.test.ts']),
      inProcess('architecture', ['test/*.test.ts'], ['test/conformance.test.ts']),
      // Any feature of ours could be a stranger's: the tags, packed and installed as one.
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
      withProcesses('browser', ['test/browser/**/*.test.ts'], { exclude: pages, isolate: false }),
    ],
  },
})

/** Files share what they import: none of them changes it, and reading it again would take half the time. */
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

/** Servers and browsers begin when all others are done, four at a time on two processors: they wait half of the time. */
function withProcesses(
  name: string,
  include: string[],
  more: { readonly exclude?: string[]; readonly isolate?: boolean } = {},
) {
  const sequence = { groupOrder: 1 }
  return {
    extends: true,
    test: { name, include, ...more, pool: 'forks', maxWorkers: 4, sequence },
  } as const
}
