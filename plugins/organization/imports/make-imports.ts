import { type Context, definePlugin, number } from '../../../core/plugin.ts'
import { importCommand } from './command.ts'
import { importEndpoints, type State } from './endpoints.ts'
import { createRunner } from './runs/runner.ts'
import { countDeaths, countReportRows, makeImportTables, noteBroughtVisits } from './runs/tables.ts'
import { tidyImports } from './runs/tidy.ts'
import type { Source } from './source.ts'

/** The plugin that imports from these sources. */
export const makeImports = (sources: readonly Source[]) =>
  definePlugin({
    feature: 'organization.imports',
    about: 'Bring links, their visits and tags from other programs.',
    settings: {
      maxFileMiB: number({
        label: 'Largest file',
        hint: 'In MiB.',
        min: 1,
        max: 1_048_576,
        default: 2_048,
      }),
    },
    migrations: {
      '001-imports': makeImportTables,
      '002-deaths': countDeaths,
      '003-brought': noteBroughtVisits,
      '004-reported': countReportRows,
    },
    setup: (context): State => ({ runner: createRunner(context as Context, sources) }),
    dispose: ({ state }) => (state as State | undefined)?.runner.stop(),
    endpoints: importEndpoints(sources),
    unstable: { tells: ['import'], commands: { import: importCommand(sources) } },
    jobs: {
      goOn: {
        label: 'Go on with imports',
        every: '* * * * *',
        everywhere: true,
        run: ({ state }) => (state as State).runner.pickUp(),
      },
      tidy: { label: 'Tidy up imports', every: '23 * * * *', everywhere: true, run: tidyImports },
    },
  })
