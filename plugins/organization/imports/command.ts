import { existsSync, readFileSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import {
  type Context,
  choice,
  command,
  type Field,
  type Fields,
  isRefusal,
  list,
  optional,
  publicId,
  type Refusal,
  refuse,
  text,
  toggle,
} from '../../../core/plugin.ts'
import { Stopped } from './engine/stop.ts'
import { beatsOfRunners } from './runs/beats.ts'
import { type Options, optionsSchema } from './runs/options.ts'
import { countReported, csvOfRows, reportHead, reportRows, showRow } from './runs/report-rows.ts'
import {
  addRun,
  claimRun,
  findRun,
  hide,
  type NewRun,
  type Run,
  readRun,
  reopenRun,
  runsTable,
} from './runs/run.ts'
import { runOne, watchRun } from './runs/runner.ts'
import { missingWithoutFile, readSettings } from './runs/settings-of.ts'
import type { Source } from './source.ts'

/** How many rows of the report are printed. */
const maxPrinted = 20

/** `linnet import`, from these sources. */
export function importCommand(sources: readonly Source[]) {
  const names = sources.map(({ name }) => name)
  return command({
    summary: 'Bring links from another program.',
    help: helpOf(sources),
    arguments: {
      source: choice(names as [string, ...string[]], { label: 'Where they come from' }),
      file: optional(text({ label: 'Its file, also compressed by gzip', max: 4_096 })),
    },
    options: {
      account: text({ label: 'The e-mail address of the account that gets the links' }),
      setting: list({ label: 'What the source asks for, as name=value', default: [] }),
      secretFrom: optional(
        text({ label: 'The file that has its key; - for the standard input', max: 4_096 }),
      ),
      dryRun: toggle({ label: 'Only say what would come' }),
      hostTo: list({
        label: 'Where links of a host go, as s.example.com=go.example.org',
        hint: 'Nothing behind the equals sign: to this instance',
        default: [],
      }),
      host: optional(text({ label: 'Where links go whose host the source does not name' })),
      onTaken: choice(['refuse', 'new'], {
        label: 'What happens to a link whose short code is taken',
        default: 'refuse',
      }),
      strict: toggle({ label: 'Refuse links of which something cannot come' }),
      withoutVisits: toggle({ label: 'Bring no visits' }),
      byOwner: toggle({ label: 'Give links to the accounts of their owners, by e-mail address' }),
      keys: toggle({ label: 'Let API keys of the source go on to work' }),
      report: optional(
        text({ label: 'A CSV file for the report, in place of one that is there', max: 4_096 }),
      ),
    },
    async run(call, context) {
      const { arguments: given, options, print } = call
      const source = sources.find(({ name }) => name === given.source)
      if (!source) return refuse('validation_failed', `There is no source ${given.source}.`)
      const read = readAll(source, given.file, options)
      if (isRefusal(read)) return read
      if (options.report !== undefined && isOtherFile(options.report)) {
        return refuse('validation_failed', `${options.report} is there already, and is no report.`)
      }
      const accountId = await call.account(options.account)
      const run = await beginRun(context, {
        ...read,
        accountId,
        source: source.name,
        isDry: options.dryRun,
      })
      if (isRefusal(run)) return run
      const ended = await carryOut(context, run, sources)
      await tell(ended, context, print)
      if (options.report !== undefined) await writeFile(options.report, csvOfRows(context.db, run))
      return ended.state === 'done'
        ? undefined
        : refuse('import_ended', `${ended.sentence ?? 'It was stopped.'} ${remedyOf(ended)}`, 409)
    },
  })
}

/** Whether something is there that no earlier import wrote: the same command again has another report. */
function isOtherFile(path: string): boolean {
  if (!existsSync(path)) return false
  return !statSync(path).isFile() || !readFileSync(path, 'utf8').startsWith(reportHead)
}

interface Chosen {
  readonly setting: readonly string[]
  readonly secretFrom: string | undefined
  readonly hostTo: readonly string[]
  readonly host: string | undefined
  readonly onTaken: 'refuse' | 'new'
  readonly strict: boolean
  readonly withoutVisits: boolean
  readonly byOwner: boolean
  readonly keys: boolean
}

type Begun = Pick<NewRun, 'given' | 'options' | 'path' | 'fileName' | 'fileBytes'>

function readAll(source: Source, file: string | undefined, chosen: Chosen): Begun | Refusal {
  const words = readPairs(chosen.setting, '--setting')
  if (isRefusal(words)) return words
  const secrets = readSecrets(source.settings, chosen.secretFrom)
  if (isRefusal(secrets)) return secrets
  const secretName = words.find(([name]) => source.settings[name]?.env !== undefined)?.[0]
  if (secretName !== undefined) {
    const { env } = source.settings[secretName] as Field
    return refuse(
      'validation_failed',
      `Give ${secretName} by the environment variable ${env}, or by --secret-from: others of this machine can read arguments.`,
    )
  }
  const given = readSettings(
    source.settings,
    { ...valuesOf(source.settings, words), ...secrets },
    '',
  )
  if (isRefusal(given)) return { ...given, detail: `${given.field}: ${given.detail}` }
  const hosts = readPairs(chosen.hostTo, '--host-to')
  if (isRefusal(hosts)) return hosts
  const options: Options = optionsSchema.parse({
    hosts: Object.fromEntries(hosts.map(([from, to]) => [from, to === '' ? null : to])),
    host: chosen.host ?? null,
    onTaken: chosen.onTaken,
    isStrict: chosen.strict,
    counts: !chosen.withoutVisits,
    byOwner: chosen.byOwner,
    keys: chosen.keys,
  })
  if (file === undefined) {
    if (source.file && !source.file.orSettings) {
      return refuse(
        'validation_failed',
        `${source.label} is read from a file: name it after ${source.name}.`,
      )
    }
    const missing = missingWithoutFile(source, given)
    const field = missing && source.settings[missing]
    if (field) {
      const way = field.env === undefined ? `--setting ${missing}=…` : `the variable ${field.env}`
      return refuse('validation_failed', `${field.label} is missing: give ${way}, or name a file.`)
    }
    return { given, options, path: '' }
  }
  if (!source.file)
    return refuse(
      'validation_failed',
      `${source.label} is read from its server, and not from a file.`,
    )
  if (source.file.refusal !== undefined)
    return refuse('too_little_memory', source.file.refusal, 409)
  const path = resolve(file)
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return refuse('validation_failed', `There is no file ${file}.`)
  if (!found.isFile()) return refuse('validation_failed', `${file} is no file.`)
  return { given, options, path, fileName: basename(path), fileBytes: found.size }
}

function readPairs(
  texts: readonly string[],
  option: string,
): readonly (readonly [string, string])[] | Refusal {
  const wrong = texts.find(it => !/^[^=]+=/.test(it))
  if (wrong !== undefined)
    return refuse('validation_failed', `${option} needs a name, an equals sign and a value.`)
  return texts.map(it => [it.slice(0, it.indexOf('=')), it.slice(it.indexOf('=') + 1)] as const)
}

/** Texts as the values of settings. What is given several times is a list. */
function valuesOf(fields: Fields, words: readonly (readonly [string, string])[]) {
  const values: Record<string, unknown> = {}
  for (const [name, word] of words) {
    const control = fields[name]?.control
    if (control === 'list') values[name] = [...((values[name] as string[]) ?? []), word]
    else if (control === 'number') values[name] = word.trim() === '' ? Number.NaN : Number(word)
    else if (control === 'toggle')
      values[name] = word === 'true' ? true : word === 'false' ? false : word
    else values[name] = word
  }
  return values
}

function readSecrets(
  fields: Fields,
  from: string | undefined,
): Readonly<Record<string, string>> | Refusal {
  const secrets: Record<string, string> = {}
  const names = Object.keys(fields).filter(name => fields[name]?.env !== undefined)
  if (from !== undefined && names.length !== 1) {
    return refuse('validation_failed', '--secret-from is for a source that asks for one key.')
  }
  for (const name of names) {
    const { env = '' } = fields[name] as Field
    const path = from === undefined ? process.env[`${env}_FILE`] : from === '-' ? 0 : from
    const value = path === undefined ? process.env[env] : readFileSync(path, 'utf8')
    if (value !== undefined && value.trim() !== '') secrets[name] = value.trim()
  }
  return secrets
}

/** Notes a new import, or takes the one up that the same command left. */
async function beginRun(context: Context, wanted: Omit<NewRun, 'state'>): Promise<Run | Refusal> {
  const { db, now, unstable } = context
  const left = await db
    .selectFrom(runsTable)
    .selectAll()
    .where('account_id', '=', wanted.accountId)
    .where('source', '=', wanted.source)
    .where('path', '=', wanted.path)
    .where('is_dry', '=', 0)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const run = left && readRun(left)
  const { from, to } = beatsOfRunners(now())
  const beatAt = Number(left?.beat_at ?? 0)
  const isLeft = run?.state === 'running' && (beatAt < from || beatAt > to)
  const goesOn =
    !wanted.isDry &&
    run !== undefined &&
    (isLeft || run.state === 'stopped' || run.state === 'failed') &&
    (await reopenRun(db, run, {
      file_bytes: wanted.fileBytes ?? null,
      settings: JSON.stringify(wanted.given.settings),
      secrets: hide(wanted.given.secrets, unstable.secrets),
      options: JSON.stringify(wanted.options),
    }))
  const begun = goesOn ? run : await addRun(context, { ...wanted, state: 'running' })
  const isOurs = begun !== undefined && (await claimRun(db, begun, 'command', now()))
  if (isOurs) return (await findRun(db, begun.id)) ?? begun
  return refuse(
    'import_running',
    run?.state === 'running'
      ? 'This import was heard of less than half a minute ago. If its command was killed, run it again then.'
      : 'Another import of this account has not ended. Wait for it, or stop it.',
    409,
  )
}

async function carryOut(context: Context, run: Run, sources: readonly Source[]): Promise<Run> {
  const stop = new AbortController()
  const onSignal = () => stop.abort(new Stopped('It was interrupted. What came stays.', true))
  context.signal.addEventListener('abort', onSignal)
  const unwatch = watchRun(context, run.id, stop)
  let saidAt = 0
  const onWritten = (itemsRead: number) => {
    if (!process.stderr.isTTY || Date.now() - saidAt < 200) return
    saidAt = Date.now()
    process.stderr.write(`\r${itemsRead} read`)
  }
  try {
    await runOne({ context, sources, stop, onWritten }, run)
  } finally {
    unwatch()
    context.signal.removeEventListener('abort', onSignal)
    if (saidAt > 0) process.stderr.write('\n')
  }
  return (await findRun(context.db, run.id)) ?? run
}

/** A file that cannot be read is the same when it is read again. */
function remedyOf({ state, path, isDry }: Run): string {
  if (state !== 'failed' || !path) return 'To go on, run the same command again.'
  const stays = isDry ? '' : 'What came stays. '
  return `${stays}Mend the file or make another, and run the command with that: nothing comes twice.`
}

async function tell(run: Run, { db }: Context, print: (line: string) => Promise<undefined>) {
  const found = reportRows(db, run).where('outcome', '!=', 'kept')
  const rows = await found.selectAll().orderBy('number').limit(maxPrinted).execute()
  for (const { outcome, row, sentence } of rows.map(showRow))
    await print(`${outcome}: ${row}: ${sentence}`)
  if (countReported(run) - run.reported.kept > rows.length)
    await print(`… and more: --report writes all to a file.`)
  const { made, changed, kept, refused, visits, isDry } = run
  const verb = isDry ? 'would come' : 'came'
  const links = `${many(made, 'link')} ${verb} (${changed} in another way) with ${many(visits, 'visit')}`
  await print(
    `${links}, ${kept} ${were(kept)} here, ${refused} ${were(refused)} refused. ${publicId('imp', run.id)}`,
  )
}

function many(count: number, of: string): string {
  return `${count} ${of}${count === 1 ? '' : 's'}`
}

function were(count: number): string {
  return count === 1 ? 'was' : 'were'
}

/** All sources, with what each asks for. */
function helpOf(sources: readonly Source[]): string {
  const parts = sources.map(({ name, label, about, settings, file }) => {
    const kinds = file
      ? `${file.orSettings ? 'with or without' : 'with'} a file: ${file.endings.join(', ')}`
      : 'from its server'
    const lines = Object.entries(settings).map(
      ([key, field]) =>
        `    ${wayOf(key, field)}: ${[field.label, field.hint].filter(Boolean).join('. ')}`,
    )
    return [`  ${name} (${label}, ${kinds})`, `    ${about}`, ...lines].join('\n')
  })
  return `Sources:\n${parts.join('\n')}`
}

function wayOf(key: string, { env, isOptional, default: usual }: Field): string {
  if (env !== undefined) return `the variable ${env}`
  return `--setting ${key}=…${isOptional || usual !== undefined ? ' (optional)' : ''}`
}
