import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { pages, retry } from './test/browser/vitest.config.ts'
import { builtProgram } from './test/built-program.ts'
import { tagsFromOutside } from './test/outside/tags-from-outside.ts'
import { patience } from './test/patience.ts'

/** The tests of whole plugins; those of their parts are in folders beside them. */
const plugins = 'test/plugins/*/*.test.ts'

/** Files share imported modules: none of them changes those, and importing them again would take half the time. */
const inThread = { pool: 'threads', isolate: false, sequence: { groupOrder: 0 } } as const

/**
 * How tests run depends on what they need: in a thread, or one after another beside real processes. Three threads keep
 * two processors busy, because some tests wait.
 */
export default defineConfig({
  test: {
    maxWorkers: 3,
    ...patience,
    projects: [
      // All tests not named below test a part, or the whole app within this process, from the sources.
      ofSources('unit', ['test/*/**/*.test.ts'], {
        exclude: ['test/{api,e2e,browser,faults,postgres,deploy}/**', plugins],
      }),
      ofSources('architecture', ['test/*.test.ts'], { exclude: ['test/conformance.test.ts'] }),
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
      // All others test what people run: the built program.
      ofProgram('conformance', ['test/conformance.test.ts']),
      ofProgram('api', ['test/api/**/*.test.ts', plugins]),
      withProcesses('http', ['test/e2e/**/*.test.ts'], { isolate: false }),
      withProcesses('browser', ['test/browser/**/*.test.ts'], {
        exclude: pages,
        isolate: false,
        retry,
      }),
    ],
  },
})

function ofSources(
  name: string,
  include: string[],
  more: { readonly exclude?: string[] } = {},
): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: {
      name,
      include,
      ...more,
      setupFiles: ['test/hash-cheaply.ts', 'test/same-examples.ts'],
      ...inThread,
    },
  }
}

function ofProgram(name: string, include: string[]): TestProjectInlineConfiguration {
  return {
    extends: true,
    plugins: [builtProgram],
    test: { name, include, setupFiles: 'test/same-examples.ts', ...inThread },
  }
}

/**
 * Servers and browsers start when all other tests are done, six files at a time on two processors, because
 * they spend two thirds of the time waiting.
 */
function withProcesses(
  name: string,
  include: string[],
  more: {
    readonly exclude?: string[]
    readonly isolate?: boolean
    readonly retry?: typeof retry
  } = {},
): TestProjectInlineConfiguration {
  const sequence = { groupOrder: 1 }
  return {
    extends: true,
    plugins: [builtProgram],
    test: { name, include, ...more, pool: 'forks', maxWorkers: 6, sequence },
  }
}
