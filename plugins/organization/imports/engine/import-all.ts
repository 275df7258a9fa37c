import { mkdir, rm } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import type { Context } from '../../../../core/plugin.ts'
import { openFile } from '../runs/open-file.ts'
import { fileOf, type Run, runsTable } from '../runs/run.ts'
import { openSettings } from '../runs/settings-of.ts'
import {
  type Campaign,
  type Counts,
  type Item,
  type LinkItem,
  type Source,
  SourceError,
  type Tag,
} from '../source.ts'
import { visitBatches } from './counts.ts'
import { noteHost, placeHosts } from './hosts.ts'
import { adoptKey } from './keys.ts'
import { linkBatches } from './link-batch.ts'
import type { Making } from './make-link.ts'
import { named } from './named.ts'
import { findOwners } from './owners.ts'
import { mostUnreadable, openReport } from './report.ts'
import { Stopped } from './stop.ts'
import { usableFields } from './usable-fields.ts'
import { heldTogether, weigh } from './weight.ts'

/** How many links are made, and how many parts of visits added, at the same moment. */
const linksTogether = 64
const countsTogether = 128

/** Reports are not for files of something else. */
const notThis = `More than ${mostUnreadable.toLocaleString('en')} rows cannot be read: this seems to be a file of something else.`

/** How long items are read at a stretch, in milliseconds. */
const turnMs = 2

/** What an import reads. */
export interface Reading {
  readonly source: Source
  readonly secrets: Readonly<Record<string, unknown>>
  /** Where its file is, if it has one. */
  readonly path: string | undefined
  /** Aborted by a `Stopped`. */
  readonly signal: AbortSignal
  /** Called whenever something was written. */
  onWritten?(itemsRead: number): void
}

/** Reads a source to its end, and makes all of it that is not here yet. Throws `SourceError`, or `Stopped`. */
export async function importAll(context: Context, run: Run, reading: Reading): Promise<void> {
  const { source, secrets, path, signal } = reading
  const { db, now } = context
  const report = await openReport(db, run)
  const place = placeHosts(context, run.options)
  const find = findOwners(context, run)
  const making: Making = {
    ...{ context, options: run.options, isDry: run.isDry, place, owner: find },
    tags: named('/tags', context, run.isDry),
    campaigns: named('/campaigns', context, run.isDry),
    whyUnusable: usableFields(context),
  }
  let itemsRead = 0
  let bytesRead = 0
  const write = async (rows: (tx: Context['db']) => Promise<void>) => {
    await db.transaction().execute(async tx => {
      await rows(tx)
      await report.write(tx)
      await tx
        .updateTable(runsTable)
        .set({ items_read: itemsRead, bytes_read: bytesRead, beat_at: now().getTime() })
        .where('id', '=', run.id)
        .execute()
    })
    reading.onWritten?.(itemsRead)
  }
  const makeLinks = linkBatches(run, making, report, write)
  const visits = visitBatches(run, context, report, write)
  let links: LinkItem[] = []
  let counts: Counts[] = []
  /** About how many bytes these have. */
  let held = 0
  let unreadable = 0

  async function flush(): Promise<void> {
    signal.throwIfAborted()
    const [someLinks, someCounts] = [links, counts]
    links = []
    counts = []
    held = 0
    const left = someLinks.length > 0 ? await makeLinks(someLinks, someCounts) : someCounts
    if (left.length > 0) await visits.add(left)
  }

  async function take(found: Item): Promise<void> {
    const { item, weight } = weigh(found)
    report.met(item)
    if (item.kind === 'link') {
      // Not behind it, since most sources yield the counts of a link next.
      if (links.length >= linksTogether || held >= heldTogether) await flush()
      links.push(item)
      held += weight
      return
    } else if (item.kind === 'counts') {
      if (run.isDry || !run.options.counts) return
      counts.push(item)
      held += weight
      if (counts.length >= countsTogether || held >= heldTogether) await flush()
      return
    } else await takeOther(item)
    if (itemsRead % 1_000 !== 0) return
    await flush()
    await write(async () => undefined)
  }

  async function takeOther(item: Exclude<Item, LinkItem | Counts>): Promise<void> {
    if (item.kind === 'tag' || item.kind === 'campaign') await takeNamed(item)
    else if (item.kind === 'host')
      await noteHost(item, place(item.host, run.accountId), { run, context, report })
    else if (item.kind === 'refused') {
      unreadable += 1
      if (unreadable > mostUnreadable || report.isFull()) throw new SourceError(notThis)
      report.add({ outcome: 'refused', place: item.row, sentence: item.reason })
    } else if (item.kind === 'note')
      report.add({ outcome: 'note', place: item.row, sentence: item.sentence })
    else await adoptKey(item, { context, run, report })
  }

  /** Also one that no link has. */
  async function takeNamed(item: Tag | Campaign): Promise<void> {
    const all = item.kind === 'tag' ? making.tags : making.campaigns
    all.note(item)
    const { accountId } = await find(item.owner)
    const found = await all.find(item.name, accountId)
    if ('id' in found) return
    const sentence = `The ${item.kind} ${item.name} could not come: ${found.problem}`
    report.add({ outcome: 'note', place: item.row, sentence })
  }

  const folder = `${context.unstable.files.pathOf(fileOf(run.id))}-reading`
  // One that was killed may have left something.
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  try {
    const onRead = (bytes: number) => {
      // Some sources read their file twice.
      bytesRead = Math.max(bytesRead, bytes)
    }
    const name = run.fileName ?? 'The file'
    const file = path === undefined ? undefined : await openFile(path, name, onRead)
    const [owner] = await context.unstable.accounts.find([run.accountId])
    // As the operator, an admin may ask what LINNET_FETCH_ALLOW names: a server beside this one.
    const toOwnNetwork = owner?.isAdmin === true
    const items = source.read({
      settings: openSettings(source.settings, { settings: run.settings, secrets }),
      ...{ file, folder, signal, now },
      fetch: (url, options) => context.fetch(url, { signal, ...options, toOwnNetwork }),
    })
    let turnAt = performance.now()
    for await (const item of items) {
      itemsRead += 1
      await take(item)
      if (performance.now() < turnAt) continue
      // Redirects have their turn, however much a source has at hand.
      await turn()
      turnAt = performance.now() + turnMs
    }
    await flush()
    if (!run.isDry && run.options.counts) {
      await visits.addRests(() => signal.throwIfAborted())
    }
    await write(async () => undefined)
  } catch (error) {
    // What was read until then comes, and is reported.
    if (error instanceof SourceError && !signal.aborted) await flush()
    await write(async () => undefined).catch(() => undefined)
    if (signal.aborted) throw signal.reason instanceof Stopped ? signal.reason : error
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What an import ended with, for people; undefined for what is our fault. */
export function sentenceOf(error: unknown): string | undefined {
  if (error instanceof SourceError || error instanceof Stopped) return error.message
  const { name, code, message } = error as NodeJS.ErrnoException
  if (name === 'FetchFailed') return `${message}.`
  // Of the system, of SQLite and of PostgreSQL.
  if (code === 'ENOSPC' || code === 'SQLITE_FULL' || code === '53100')
    return 'The disk of the server is full. Make room, and go on.'
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return `The server may not write there: ${message}.`
  }
  if (code === 'ENOENT') return 'Its file is not on this server any more. Send it again.'
  return undefined
}
