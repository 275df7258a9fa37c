import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Context } from '../../../../core/plugin.ts'
import { apart } from '../../../../plugins/organization/imports/apart/read-apart.ts'
import type { Asked, Item, Source } from '../../../../plugins/organization/imports/source.ts'

/** What a source is tried with: a file, a server, or both. */
export interface Tried {
  readonly settings?: Readonly<Record<string, unknown>>
  /** Where the file lies. */
  readonly file?: string
  /** The server, as `Asked.fetch`. */
  readonly fetch?: Context['fetch']
}

const sentence = /^[A-Z0-9"“`'/].*[.?!]$/s

/** Check that a source does what `source.ts` says, as it reads what is at hand. */
export function conforms(source: Source, tried: Tried): void {
  const { name, label, about, settings, file } = source

  describe(`the source ${name}`, () => {
    it('says what it is', () => {
      expect(name).toMatch(/^[a-z][a-z0-9-]{1,29}$/)
      expect(label.trim()).not.toBe('')
      expect(about).toMatch(sentence)
      for (const [key, setting] of Object.entries(settings)) {
        expect(key).toMatch(/^[a-z][a-zA-Z0-9]*$/)
        expect(setting.label.trim()).not.toBe('')
        if (setting.hint !== undefined) expect(setting.hint).toMatch(sentence)
        // What is secret is read from a variable, a file or the standard input, and is not shown.
        if (setting.control === 'password') expect(setting.env).toMatch(/^[A-Z][A-Z0-9_]+$/)
      }
      for (const ending of file?.endings ?? []) expect(ending).toMatch(/^\.[a-z0-9.]+$/)
      if (!file) expect(tried.file).toBeUndefined()
    })

    it('yields items as the contract describes them, in its order', async () => {
      const items = await readAll(source, tried)
      expect(items.length).toBeGreaterThan(0)
      checkOrder(items)
      for (const item of items) checkItem(item)
      const ids = ofKind(items, 'link').map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
      const parts = ofKind(items, 'counts').map(({ link, part }) => `${link} ${part}`)
      expect(new Set(parts).size).toBe(parts.length)
      const hosts = ofKind(items, 'host').map(it => it.host)
      for (const host of hosts) if (host !== null) expect(host).toMatch(/^[^\s/]+$/)
      expect(new Set(hosts).size).toBe(hosts.length)
    })

    it('yields the same when it is read again, a file in the process that reads it on a server', async () => {
      const again = apart(source, 192)
      expect(await readAll(again, tried)).toEqual(await readAll(source, tried))
    })

    it('ends when it is stopped', async () => {
      const stop = new AbortController()
      await inFolder(async folder => {
        const reading = source.read(asked(tried, folder, stop.signal))[Symbol.asyncIterator]()
        await reading.next()
        stop.abort()
        // What was read by then may still come: a page or a part of a file.
        const left = async () => {
          for (let item = 0; item < 100_000; item++) if ((await reading.next()).done) return
          throw new Error('It goes on')
        }
        await left().catch((error: unknown) => {
          if (!stop.signal.aborted || error !== stop.signal.reason) {
            expect(`${(error as Error).name}`).toMatch(/AbortError|SourceError/)
          }
        })
      })
    })
  })
}

/** All that a source yields. */
export async function readAll(source: Source, tried: Tried): Promise<readonly Item[]> {
  const items: Item[] = []
  const { signal } = new AbortController()
  await inFolder(async folder => {
    for await (const item of source.read(asked(tried, folder, signal))) items.push(item)
  })
  return items
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-import-'))
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function asked({ settings = {}, file, fetch }: Tried, folder: string, signal: AbortSignal): Asked {
  return {
    settings,
    folder,
    file: file === undefined ? undefined : fileAt(file),
    fetch: fetch ?? (() => Promise.reject(new Error('The source asks a server that is not tried'))),
    signal,
    now: () => new Date('2026-11-27T12:00:00Z'),
  }
}

function fileAt(path: string): Asked['file'] {
  return {
    name: basename(path),
    path,
    bytes: statSync(path).size,
    noteRead: () => undefined,
    read: () => createReadStream(path, { highWaterMark: 1_000 }),
  }
}

function ofKind<K extends Item['kind']>(items: readonly Item[], kind: K) {
  return items.filter((item): item is Extract<Item, { kind: K }> => item.kind === kind)
}

/** Hosts and tags come before the links that have them, and a link before its counts. */
function checkOrder(items: readonly Item[]): void {
  const hosts = new Set<string | null>([null])
  const tags = new Set<string>()
  const links = new Set<string>()
  for (const item of items) {
    if (item.kind === 'host') hosts.add(item.host)
    if (item.kind === 'tag') tags.add(item.name)
    if (item.kind === 'link') {
      expect(hosts, item.row).toContain(item.host)
      for (const tag of item.tags ?? []) expect(tags, item.row).toContain(tag)
      links.add(item.id)
    }
    if (item.kind === 'counts') expect(links, item.row).toContain(item.link)
  }
}

export function checkItem(item: Item): void {
  expect(item.row.trim()).not.toBe('')
  const where = `${item.kind} at ${item.row}`
  if (item.kind === 'tag') {
    expect(item.name.trim(), where).not.toBe('')
    if (item.color) expect(item.color, where).toMatch(/^#[0-9a-f]{6}$/i)
  }
  if (item.kind === 'link') {
    expect(item.id, where).toMatch(/^.{1,200}$/s)
    expect(typeof item.fields.originalUrl, where).toBe('string')
    for (const name of ['shortCode', 'domain', 'tags', 'password']) {
      expect(item.fields, where).not.toHaveProperty(name)
    }
    for (const at of [item.createdAt, item.updatedAt, item.lastVisitAt]) checkDate(at, where)
    if (item.createdAt && item.updatedAt) {
      expect(item.updatedAt.getTime(), where).toBeGreaterThanOrEqual(item.createdAt.getTime())
    }
    if (item.visits !== undefined) checkNumber(item.visits, where)
    for (const change of item.changes ?? []) expect(change, where).toMatch(sentence)
  }
  if (item.kind === 'counts') {
    expect(item.part, where).toMatch(/^.{1,100}$/s)
    expect(item.counts.length, where).toBeGreaterThan(0)
    for (const { at, visits, by = {} } of item.counts) {
      if (typeof at === 'string') expect(at, where).toMatch(/^\d{4}-\d\d-\d\d$/)
      checkDate(new Date(at), where)
      checkNumber(visits, where)
      for (const values of Object.values(by)) {
        const numbers = typeof values === 'number' ? [values] : Object.values(values)
        for (const number of numbers) checkNumber(number, where)
      }
    }
  }
  if (item.kind === 'key') {
    expect(item.name.trim(), where).not.toBe('')
    expect(item.sha256, where).toMatch(/^[0-9a-f]{64}$/)
    checkDate(item.expiresAt ?? undefined, where)
  }
  if (item.kind === 'refused') expect(item.reason, where).toMatch(sentence)
  if (item.kind === 'note') expect(item.sentence, where).toMatch(sentence)
}

function checkDate(at: Date | undefined, where: string): void {
  if (at) expect(at.getTime(), where).toBeGreaterThan(0)
}

function checkNumber(number: number, where: string): void {
  expect(Number.isSafeInteger(number) && number >= 0, `${where}: ${number}`).toBe(true)
}
