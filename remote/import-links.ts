import { basename, extname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Linnet } from '../client/linnet.ts'
import { showProgress } from '../core/cli/output.ts'
import { UserError } from '../core/lib/user-error.ts'
import { exits, Interrupted } from './failures.ts'
import { fileToSend, type Io, print, printJson, tell, widthOf } from './io.ts'
import type { Calling } from './run-operation.ts'
import { tableOf } from './table-and-card.ts'
import { commandOn, readJson } from './typed-command.ts'

/** How often the server is asked how far it is, in milliseconds. */
const askMs = 500

/** How many lines that did not come as they were are shown. */
const shownRows = 20

interface Options {
  readonly source?: string
  readonly settings: string
  readonly options: string
  readonly dryRun?: boolean
  readonly json?: boolean
}

interface Source {
  readonly name: string
  readonly label: string
  readonly file: { readonly endings: readonly string[] } | null
}

interface Import {
  readonly id: string
  readonly state: 'waiting' | 'running' | 'done' | 'stopped' | 'failed'
  readonly sentence: string | null
  readonly file: { readonly bytes: number } | null
  readonly progress: Readonly<
    Record<'read' | 'bytesRead' | 'made' | 'changed' | 'kept' | 'refused' | 'visits', number>
  >
}

/** `linnet links import`: sends a file, or lets the server ask another program, and waits until all has come. */
export async function importLinks(
  words: readonly string[],
  { linnet, operations, io }: Calling,
): Promise<number> {
  const command = commandOn(
    io,
    'links import',
    'Bring links, their visits and tags from another program, or from a Linnet elsewhere.',
    words,
  )
    .argument('[file]', 'what the other program wrote; without it, the server asks that program')
    .option('--source <name>', 'the program they come from: linnet imports sources')
    .option('--settings <json>', 'what the source asks for, or @file with it', '{}')
    .option('--options <json>', 'how they come: linnet imports create --help', '{}')
    .option('--dry-run', 'only say what would come')
  command.parse([...words], { from: 'user' })
  if (!operations.some(({ route }) => route === 'POST /imports')) {
    throw new UserError('This server takes no imports: the plugin organization.imports is off.')
  }
  const [file] = command.args
  const { source, settings, options, dryRun = false, json }: Options = command.opts()
  // Before anything begins: the file may not be there.
  const bytes = file === undefined ? undefined : await fileToSend(file)
  const { data: begun } = await linnet.request<{ data: Import }>('POST /imports', {
    body: {
      source: source ?? (await sourceOf(file, linnet, io)),
      settings: readJson('settings', settings),
      options: readJson('options', options),
      dry_run: dryRun,
      with_file: bytes !== undefined,
      ...(file !== undefined && { file_name: basename(file) }),
    },
    signal: io.signal,
  })
  const { id } = begun
  try {
    if (bytes) {
      await linnet.request('PUT /imports/{id}/file', {
        path: { id },
        body: bytes,
        signal: io.signal,
        timeoutMs: uploadMs(bytes.size),
      })
    }
    const ended = await untilEnded(id, linnet, io)
    if (json) await printJson(io, ended)
    else await report(ended, linnet, io)
    return ended.state === 'done' && ended.progress.refused === 0 ? exits.done : exits.refused
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    error.message += ` The import goes on at the server: linnet imports show ${id}. To stop it: linnet imports delete ${id}`
    throw error
  }
}

/** An upload may take a second for each 50 kB, and a minute at least. */
function uploadMs(size: number): number {
  return 60_000 + size / 50
}

/** The only source that has files of this name. */
async function sourceOf(file: string | undefined, linnet: Linnet, io: Io): Promise<string> {
  const { data } = await linnet.request<{ data: readonly Source[] }>('GET /imports/sources', {
    signal: io.signal,
  })
  const ending = file === undefined ? undefined : extname(file).toLowerCase()
  const fitting = data.filter(it => ending !== undefined && it.file?.endings.includes(ending))
  const [only, ...others] = fitting
  if (only && others.length === 0) return only.name
  const names = (fitting.length > 0 ? fitting : data).map(({ name }) => name).join(', ')
  throw new UserError(`Name where the links come from: --source, with one of ${names}.`)
}

async function untilEnded(id: string, linnet: Linnet, io: Io): Promise<Import> {
  const bar = io.stderr.isTTY ? showProgress(io.stderr) : undefined
  try {
    for (;;) {
      const { data } = await linnet.request<{ data: Import }>('GET /imports/{id}', {
        path: { id },
        signal: io.signal,
      })
      if (data.state !== 'running' && data.state !== 'waiting') return data
      const { bytesRead, read } = data.progress
      const whole = data.file?.bytes ?? 0
      bar?.show(
        whole > 0 ? Math.min(1, bytesRead / whole) : 0,
        `${read.toLocaleString('en-US')} links`,
      )
      await pause(askMs, undefined, { signal: io.signal }).catch(() => io.signal.throwIfAborted())
    }
  } finally {
    bar?.end()
  }
}

async function report(ended: Import, linnet: Linnet, io: Io): Promise<void> {
  const { made, changed, kept, refused, visits } = ended.progress
  const number = (count: number) => count.toLocaleString('en-US')
  await print(
    io,
    `${number(made)} links came (${number(changed)} of them changed), ${number(kept)} were here already, ${number(refused)} were refused, and ${number(visits)} visits came with them.`,
  )
  if (ended.sentence !== null) tell(io, ended.sentence)
  if (changed + refused === 0) return
  const { data } = await linnet.request<{ data: readonly Record<string, unknown>[] }>(
    'GET /imports/{id}/rows',
    { path: { id: ended.id }, query: { per_page: shownRows }, signal: io.signal },
  )
  const columns = ['row', 'outcome', 'sentence']
  await print(io, ...tableOf(data, { width: widthOf(io), columns }))
  if (changed + refused > data.length) {
    tell(io, `All of them, as CSV: linnet imports report ${ended.id} --output report.csv`)
  }
}
