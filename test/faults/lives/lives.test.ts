import { readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { connection } from '../../e2e/connection.ts'
import { lostLinks } from '../../e2e/crash.ts'
import { temporaryFolder } from '../../e2e/program.ts'
import { createLink, type Server, serve } from '../../e2e/server.ts'
import { create } from '../../inside.ts'
import { startRelay } from '../../postgres/relay.ts'
import { findPrograms, startServer } from '../../postgres/server.mjs'
import { type Chance, createChance } from '../../screenshots/chance.ts'
import { noDisk, onDisk } from '../disk.ts'
import { type Ledger, live } from './life.ts'

/** How many clients live at once. */
const clients = 16
const roundMs = Number(process.env.LIVES_MS ?? 20_000)
/** The seed of one round, to run it again; by default, four new ones. */
const { LIVES_SEED } = process.env
const now = Date.now() % 2 ** 31
const seeds = LIVES_SEED ? [Number(LIVES_SEED)] : [0, 1, 2, 3].map(round => now + round)
/** Each lane, with each database, in four rounds that follow one another. */
const databases = findPrograms() ? ['SQLite', 'PostgreSQL'] : ['SQLite']

it.each(seeds)(
  'LIVES_SEED=%i: everybody gets their own answers, and nothing is lost',
  async seed => {
    const chance = createChance(seed)
    const database = databases[seed % databases.length] ?? 'SQLite'
    const fastLane = Math.floor(seed / 2) % 2 === 0
    const descriptors = chance.upTo(3) === 1 ? 400 : undefined
    const say = progressOf(seed)
    say({ database, fastLane, descriptors })
    const faults = await (database === 'SQLite' ? faultyDisk() : faultyDatabase())
    const dataDir = faults.dataDir ?? temporaryFolder()
    const server = await serve({
      dataDir,
      env: { ...faults.env, LINNET_FAST_LANE: String(fastLane) },
      through: descriptors ? ['sh', '-c', `ulimit -n ${descriptors}; exec "$@"`, 'sh'] : [],
    })
    const targets = Array.from(
      { length: 8 },
      (_, index) => `https://example.com/${seed}/of/${index}`,
    )
    const made = await Promise.all(
      targets.map(async target => ({
        target,
        ...(await createLink(server, { original_url: target })),
      })),
    )
    const links = made.map(({ shortCode, target }) => ({ code: shortCode, target }))
    const ledger: Ledger = { promised: new Map(), wrong: [], sent: 0, answered: 0, cut: 0 }
    const port = Number(new URL(server.url).port)
    const liveAll = (name: string, forMs: number) =>
      Promise.all(
        Array.from({ length: clients }, (_, client) =>
          live(
            {
              ...{ port, links, ledger, name: `${seed}-${name}-${client}` },
              chance: createChance(seed * 100 + client),
            },
            performance.now() + forMs,
          ),
        ),
      )
    // What is read and compiled once is no leak.
    say('clients live, and nothing fails')
    await liveAll('first', roundMs / 5)
    await untilIdle(server)
    const before = held(server)
    const until = performance.now() + roundMs
    say('clients live, and much fails')
    await Promise.all([
      liveAll('then', roundMs),
      bringAbout(faults.all, chance, until),
      ...(descriptors ? [stayIdle(port, until)] : []),
    ])
    faults.end()

    say('all is well again')
    await untilIdle(server)
    expect(ledger.wrong).toEqual([])
    expect(ledger.answered).toBeGreaterThan(100)
    expect(ledger.promised.size).toBeGreaterThan(10)
    const patiently = { interval: 500 }
    say('descriptors and memory are given back')
    await expect.poll(() => heldSince(before, held(server)), patiently).toEqual({})
    await expect
      .poll(() => Math.max(0, held(server).mebibytes - before.mebibytes - 150), patiently)
      .toBe(0)

    say('all visits are counted')
    const { note } = (await server.get('/health/ready')).body.checks.visits
    const dropped = Number(/(\d+) visits? w\w+ dropped/.exec(note ?? '')?.[1] ?? 0)
    const total = async () => {
      const shown = await Promise.all(made.map(({ id }) => server.api('GET', `/links/${id}`)))
      return shown.reduce((sum, { body }) => sum + body.data.visits.total, 0)
    }
    await expect.poll(total, patiently).toBeGreaterThanOrEqual(ledger.answered - dropped)
    expect(await total()).toBeLessThanOrEqual(ledger.sent)

    const [descriptorsBefore, descriptorsAfter] = [before, held(server)].map(countOf)
    say('nothing acknowledged is lost by a kill')
    await server.kill('SIGKILL')
    const restarted = await serve({ dataDir, env: faults.env })
    expect(await lostLinks(restarted, ledger.promised)).toEqual([])
    const { sent, answered, cut, promised } = ledger
    say({
      ...{ sent, answered, cut, promised: promised.size, dropped },
      ...{ descriptorsBefore, descriptorsAfter },
    })
  },
)

/** What may go wrong, how to bring it about, and how to end all of it. */
interface Faults {
  readonly dataDir?: string
  readonly env: Readonly<Record<string, string>>
  readonly all: readonly (() => void)[]
  end(): void
}

function faultyDisk(): Faults {
  if (noDisk) {
    console.warn(`The disk stays well: ${noDisk}.`)
    return { env: {}, all: [], end: () => undefined }
  }
  const dataDir = temporaryFolder()
  const failsWhile = join(temporaryFolder(), 'failing')
  const end = () => rmSync(failsWhile, { force: true })
  return {
    dataDir,
    env: onDisk(dataDir, { failsWhile, flushMs: 2 }),
    all: [() => writeFileSync(failsWhile, ''), end, end],
    end,
  }
}

async function faultyDatabase(): Promise<Faults> {
  const server = await startServer(findPrograms() ?? '')
  onTestFinished(() => server.stop())
  const relay = await startRelay(server.folder, await create(server.url()))
  return {
    env: { DATABASE_URL: relay.url },
    all: [
      () => relay.slowDown(5),
      () => relay.slowDown(0),
      () => setTimeout(relay.stall(), 300),
      () => relay.loseCommit('before'),
      () => relay.loseCommit('after'),
    ],
    end: () => relay.slowDown(0),
  }
}

async function bringAbout(all: Faults['all'], chance: Chance, until: number): Promise<void> {
  while (performance.now() < until) {
    await wait(chance.upTo(1_000))
    if (all.length > 0) chance.oneOf(all.map(fault => [fault, 1] as const))()
  }
}

/** Takes all connections that are left, and leaves. */
async function stayIdle(port: number, until: number): Promise<void> {
  while (performance.now() < until) {
    const idle = await Promise.all(
      Array.from({ length: 300 }, () => connection(port, '').catch(() => undefined)),
    )
    await wait(500)
    for (const socket of idle) socket?.destroy()
    await wait(1_500)
  }
}

async function untilIdle(server: Server): Promise<void> {
  await wait(1_000)
  await expect.poll(async () => (await server.get('/health/ready')).status).toBe(200)
}

/** Prints what a round does now, and when. */
function progressOf(seed: number): (what: string | object) => void {
  const startedAt = performance.now()
  return what => {
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    console.log(`LIVES_SEED=${seed}, ${seconds} s:`, what)
  }
}

interface Held {
  /** How many descriptors lead to each file; sockets are one file here. */
  readonly descriptors: ReadonlyMap<string, number>
  readonly mebibytes: number
}

/** What the process holds: proc(5). */
function held({ pid }: Server): Held {
  const [, kibibytes] =
    /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  const descriptors = new Map<string, number>()
  for (const name of readdirSync(`/proc/${pid}/fd`)) {
    const file = leadsTo(`/proc/${pid}/fd/${name}`)
    if (file !== undefined) descriptors.set(file, (descriptors.get(file) ?? 0) + 1)
  }
  return { descriptors, mebibytes: Math.round(Number(kibibytes) / 1024) }
}

/** Undefined if it was closed in the meantime. */
function leadsTo(descriptor: string): string | undefined {
  try {
    return readlinkSync(descriptor).replace(/:\[\d+\]$/, '')
  } catch {
    return undefined
  }
}

function countOf({ descriptors }: Held): number {
  return [...descriptors.values()].reduce((sum, count) => sum + count, 0)
}

/** The descriptors that there are more of, by their files; none if these are ten or fewer. */
function heldSince(before: Held, now: Held): Readonly<Record<string, number>> {
  if (countOf(now) - countOf(before) <= 10) return {}
  const more = Array.from(now.descriptors, ([file, count]) => {
    return [file, count - (before.descriptors.get(file) ?? 0)] as const
  })
  return Object.fromEntries(more.filter(([, count]) => count > 0))
}
