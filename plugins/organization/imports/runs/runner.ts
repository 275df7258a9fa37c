import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type Context, type OwnEvent, publicId } from '../../../../core/plugin.ts'
import { importAll, sentenceOf } from '../engine/import-all.ts'
import { Stopped } from '../engine/stop.ts'
import type { Source } from '../source.ts'
import { beatsOfRunners } from './beats.ts'
import {
  changeRun,
  claimRun,
  endOfRun,
  fileOf,
  findRun,
  type Run,
  readRun,
  runsTable,
} from './run.ts'

/**
 * How many imports of a kind run at the same time in this process; others wait for their turn. So nobody with a table of links
 * waits for gigabytes of others, or for a server that answers slowly: one that takes longer than `slowMs` goes on beside `lately` others.
 */
const mostAtOnce = {
  small: { lately: 2, inAll: 2 },
  large: { lately: 1, inAll: 1 },
  server: { lately: 4, inAll: 16 },
}
const slowMs = 30 * 60_000
const smallBytes = 8 * 2 ** 20
/** Whose server takes longer has to say that it is still of use. */
const longestMs = 12 * 3_600_000

type Kind = keyof typeof mostAtOnce

function kindOf({ fileBytes }: Run): Kind {
  if (fileBytes === null) return 'server'
  return fileBytes <= smallBytes ? 'small' : 'large'
}
/** How often a running import is heard of, in milliseconds. */
const beatMs = 5_000

/** Runs imports in the background, those that another process has left behind included. */
export interface Runner {
  /** Runs those that wait for somebody, as far as there is room. */
  pickUp(): Promise<void>
  /** Asks one to stop, whoever runs it. */
  askToStop(id: number): Promise<void>
  /** Resolves when all of them have ended or are left for others. */
  stop(): Promise<void>
  /** Resolves when none runs here. */
  settled(): Promise<void>
}

/** What has ended so many servers would end the next one, too. */
const mostDeaths = 2
const deadly =
  'The server ended twice while this import ran, so it does not go on by itself. What came stays. See that the server has enough memory, and go on.'

const tooLongSaid =
  'The other server took more than twelve hours. What came stays, and it can go on.'

const interrupted = 'The server was stopped. It goes on by itself when that runs again.'

export function createRunner(context: Context, sources: readonly Source[]): Runner {
  const { db, now, log, signal, unstable } = context
  const me = randomUUID()
  const running = new Map<
    number,
    {
      readonly kind: Kind
      readonly since: number
      readonly stop: AbortController
      readonly ended: Promise<void>
    }
  >()
  let picking: Promise<void> = Promise.resolve()

  async function waiting(): Promise<readonly Run[]> {
    const { from, to } = beatsOfRunners(now())
    const rows = await db
      .selectFrom(runsTable)
      .selectAll()
      .where('state', '=', 'running')
      .where('path', 'is', null)
      .where(eb => eb.or([eb('runner', 'is', null), eb.not(eb.between('beat_at', from, to))]))
      .orderBy('created_at')
      .limit(100)
      .execute()
    const runs = rows.map(row => {
      const run = readRun(row)
      // Whoever stops orderly leaves no name.
      return row.runner === null ? run : { ...run, deaths: run.deaths + 1 }
    })
    return runs.filter(run => !running.has(run.id))
  }

  const isHere = (id: number) => existsSync(unstable.files.pathOf(fileOf(id)))

  /** Another server was told to go on with them, and had not got the file. */
  async function beginResumed(): Promise<void> {
    const rows = await db
      .selectFrom(runsTable)
      .select('id')
      .where('state', '=', 'waiting')
      .where('file_bytes', 'is not', null)
      .execute()
    for (const id of rows.map(row => Number(row.id)).filter(isHere)) {
      await changeRun(db, id, ['waiting'], { state: 'running', sentence: null })
    }
  }

  async function pick(): Promise<void> {
    if (signal.aborted || !unstable.isOn()) return
    await beginResumed()
    for (const run of await waiting()) {
      const kind = kindOf(run)
      const beside = [...running.values()].filter(it => it.kind === kind)
      const { lately, inAll } = mostAtOnce[kind]
      const slowSince = now().getTime() - slowMs
      const recent = beside.filter(it => it.since > slowSince)
      if (recent.length >= lately || beside.length >= inAll) continue
      // On another server, which goes on with it.
      if (run.fileBytes !== null && !isHere(run.id)) continue
      if (run.deaths < mostDeaths) {
        if (await claimRun(db, run, me, now())) begin(run.id, kind)
        continue
      }
      await changeRun(db, run.id, ['running'], endOfRun('failed', deadly, now()))
    }
  }

  function begin(id: number, kind: Kind): void {
    const stop = new AbortController()
    const tooLong = setTimeout(() => {
      if (kind === 'server') stop.abort(new Stopped(tooLongSaid, true))
    }, longestMs)
    const ended = carryOut(id, stop).finally(() => {
      clearTimeout(tooLong)
      running.delete(id)
      void runner.pickUp()
    })
    running.set(id, { kind, since: now().getTime(), stop, ended })
  }

  async function carryOut(id: number, stop: AbortController): Promise<void> {
    const unwatch = watchRun(context, id, stop)
    try {
      const run = await findRun(db, id)
      if (run) await runOne({ context, sources, stop }, run)
    } catch (error) {
      log.error('An import could not be noted as ended', { import: publicId('imp', id), error })
    } finally {
      unwatch()
    }
  }

  const runner: Runner = {
    pickUp() {
      picking = picking.then(pick).catch((error: unknown) => {
        if (!signal.aborted) log.warn('Imports cannot be looked for now', { error })
      })
      return picking
    },
    async askToStop(id) {
      await db.updateTable(runsTable).set({ is_stopping: 1 }).where('id', '=', id).execute()
      await endLeft({ db, now }, id)
      const run = await findRun(db, id)
      const here = running.get(id)
      if (here && run) {
        here.stop.abort(new Stopped(stoppedBy(run), true))
        await here.ended
      }
    },
    async stop() {
      for (const { stop } of running.values()) stop.abort(new Stopped(interrupted, true))
      await runner.settled()
    },
    async settled() {
      await picking
      while (running.size > 0) await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
  signal.addEventListener('abort', () => {
    for (const { stop } of running.values()) stop.abort(new Stopped(interrupted, true))
  })
  return runner
}

/** Ends an import that shall stop and at which nobody works: it waits for its turn, or its command was killed. */
async function endLeft({ db, now }: Pick<Context, 'db' | 'now'>, id: number): Promise<void> {
  const { from, to } = beatsOfRunners(now())
  const run = await findRun(db, id)
  if (!run) return
  await db
    .updateTable(runsTable)
    .set(endOfRun('stopped', stoppedBy(run), now()))
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where(eb => eb.or([eb('runner', 'is', null), eb.not(eb.between('beat_at', from, to))]))
    .execute()
}

/** Says now and then that an import runs, and looks whether it shall stop: another process may have been asked. */
export function watchRun(
  { db, now, log, unstable }: Context,
  id: number,
  stop: AbortController,
): () => void {
  async function beat(): Promise<void> {
    try {
      const run = await findRun(db, id)
      if (run?.state !== 'running') stop.abort(new Stopped('It was deleted.', true))
      else if (run.isStopping) stop.abort(new Stopped(stoppedBy(run), true))
      else if (!unstable.isOn()) stop.abort(new Stopped(interrupted, true))
      else await noteBeat()
    } catch (error) {
      log.warn('An import cannot be looked after now', { import: publicId('imp', id), error })
    }
  }
  const noteBeat = () =>
    db.updateTable(runsTable).set({ beat_at: now().getTime() }).where('id', '=', id).execute()
  const beating = setInterval(() => void beat(), beatMs)
  return () => clearInterval(beating)
}

function stoppedBy({ isDry }: Run): string {
  return isDry ? 'You stopped it.' : 'You stopped it. What came stays, and it can go on.'
}

/** Runs an import to its end, and notes how it ended. A command does so by itself. */
export async function runOne(
  {
    context,
    sources,
    stop,
    onWritten,
  }: {
    readonly context: Context
    readonly sources: readonly Source[]
    readonly stop: AbortController
    readonly onWritten?: (itemsRead: number) => void
  },
  run: Run,
): Promise<void> {
  const { db, now, log, unstable } = context
  const source = sources.find(({ name }) => name === run.source)
  const file = unstable.files
  const sent = run.fileBytes === null ? undefined : file.pathOf(fileOf(run.id))
  // A command has its file elsewhere, or none.
  const path = run.path === null ? sent : run.path || undefined
  const end = (state: 'done' | 'stopped' | 'failed', sentence: string | null) =>
    db.transaction().execute(async tx => {
      const isEnded = await changeRun(tx, run.id, ['running'], endOfRun(state, sentence, now()))
      if (isEnded && !run.isDry)
        await unstable.tell('import', () => endedImport(tx, run, source), tx)
    })
  try {
    if (!source) throw new Stopped(`There is no source ${run.source} any more.`)
    // It began with more memory.
    if (path && source.file?.refusal !== undefined) throw new Stopped(source.file.refusal)
    const secrets =
      run.secrets === null ? {} : JSON.parse(unstable.secrets.reveal(run.secrets) ?? '{}')
    await importAll(context, run, {
      source,
      secrets,
      path,
      signal: stop.signal,
      ...(onWritten && { onWritten }),
    })
    await end('done', null)
    if (!run.isDry && run.path === null && path) await rm(path, { force: true })
  } catch (error) {
    // Its account was deleted, and all that is of it.
    if (!(await findRun(db, run.id).catch(() => run))) return
    if (error instanceof Stopped && error.isWanted) {
      if (error.message === interrupted) {
        // The next process that has the file goes on.
        await changeRun(db, run.id, ['running'], { runner: null })
      } else await end('stopped', error.message)
      return
    }
    const sentence = sentenceOf(error)
    const state = error instanceof Stopped ? 'stopped' : 'failed'
    const isBug = sentence === undefined
    // Before anybody reads that it failed. Whoever runs a command sees where.
    if (isBug && run.path === null) {
      log.error('An import failed', { import: publicId('imp', run.id), source: run.source, error })
    }
    await end(state, sentence ?? bug)
    if (isBug && run.path !== null) throw error
  }
}

/** For plugins that hear of it, such as to tell the account. */
async function endedImport(
  tx: Context['db'],
  { id, accountId, path }: Run,
  source: Source | undefined,
): Promise<OwnEvent> {
  const run = await findRun(tx, id)
  const after = {
    id: publicId('imp', id),
    ...{
      source: source?.label ?? run?.source ?? '',
      state: run?.state ?? '',
      sentence: run?.sentence ?? null,
    },
    ...{ made: run?.made ?? 0, changed: run?.changed ?? 0, kept: run?.kept ?? 0 },
    ...{ refused: run?.refused ?? 0, visits: run?.visits ?? 0, byCommand: path !== null },
  }
  return { what: 'updated', accountId, before: { ...after, state: 'running' }, after }
}

const bug =
  'Something went wrong on the server, and its log says what. What came stays, and it can go on.'
