import { publicId, z } from '../../../../core/plugin.ts'
import { optionsSchema } from './options.ts'
import type { Run } from './run.ts'

const count = z.int().min(0)
const moment = z.iso.datetime().nullable()

/** An import, as the API shows it. */
export const runSchema = z.strictObject({
  id: z.string().meta({ examples: ['imp_Gv8J65Sxcr'] }),
  source: z.string().meta({ examples: ['shlink'] }),
  settings: z
    .record(z.string(), z.unknown())
    .meta({ description: 'Without what is secret.', examples: [{}] }),
  options: optionsSchema.required(),
  isDry: z.boolean().meta({ description: 'Whether it only says what would come.' }),
  state: z.enum(['waiting', 'running', 'done', 'stopped', 'failed']).meta({
    description: '`waiting`: for its file. `stopped` and `failed` ones can go on.',
  }),
  sentence: z.string().nullable().meta({ description: 'Why it ended, or what is left to do.' }),
  file: z.strictObject({ name: z.string().nullable(), bytes: count }).nullable(),
  progress: z.strictObject({
    read: count.meta({ description: 'What was read, in this pass.' }),
    bytesRead: count.meta({ description: 'Of the file.' }),
    made: count.meta({ description: 'Links that came, those among them that changed.' }),
    changed: count,
    kept: count.meta({ description: 'Links that were here already.' }),
    refused: count,
    visits: count.meta({ description: 'Visits that came with links.' }),
  }),
  createdAt: z.iso.datetime(),
  startedAt: moment,
  endedAt: moment,
})

export function showRun(run: Run): z.output<typeof runSchema> {
  const { source, settings, options, isDry, state, sentence, fileName, fileBytes } = run
  const { itemsRead, bytesRead, made, changed, kept, refused, visits } = run
  return {
    id: publicId('imp', run.id),
    ...{ source, settings: { ...settings }, options, isDry, state },
    sentence: state === 'running' && run.startedAt === null ? 'It waits for its turn.' : sentence,
    file: fileBytes === null ? null : { name: fileName, bytes: fileBytes },
    progress: { read: itemsRead, bytesRead, made, changed, kept, refused, visits },
    createdAt: new Date(run.createdAt).toISOString(),
    startedAt: momentOf(run.startedAt),
    endedAt: momentOf(run.endedAt),
  }
}

function momentOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
