import { cpSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { createLinksUntilKilled, lostLinks } from '../e2e/crash.ts'
import { temporaryFolder } from '../e2e/program.ts'
import { serve } from '../e2e/server.ts'
import { carelessProgram, isOnDisk, noDisk, onDisk } from './disk.ts'

const rounds = Array.from({ length: 10 }, (_, index) => index + 1)

describe.skipIf(noDisk)('D02: a power cut while clients make links', () => {
  it('loses none that a client was told of', async () => {
    const table: Round[] = []
    for (const _ of rounds) table.push(await cutPower())
    console.table(table)
    expect(table.filter(({ lost, isWhole }) => lost > 0 || !isWhole)).toEqual([])
    expect(table.reduce((sum, { promised }) => sum + promised, 0)).toBeGreaterThan(50)
  })

  it('control: loses some where answers do not wait for the flush', async () => {
    const program = carelessProgram()
    const table: Round[] = []
    for (const _ of rounds.slice(0, 5)) table.push(await cutPower({ program }))
    console.table(table)
    expect(table.some(({ lost }) => lost > 0)).toBe(true)
    // SQLite may lose the newest links in a power cut, but the rest stays intact.
    expect(table.every(({ isWhole }) => isWhole)).toBe(true)
  })
})

if (noDisk) it.skip(`D02 is left out: ${noDisk}`, () => undefined)

interface Round {
  readonly cutAfterMs: number
  /** Links that clients were told exist. */
  readonly promised: number
  readonly lost: number
  /** Whether the database passes its integrity check. */
  readonly isWhole: boolean
}

/** Clients create links until the power is cut; returns what is left on the disk. */
async function cutPower({ program }: { readonly program?: string } = {}): Promise<Round> {
  const dataDir = temporaryFolder()
  const keptIn = temporaryFolder()
  const server = await serve({
    dataDir,
    // Slow, or few answers would be on their way during a flush.
    env: onDisk(dataDir, { keptIn, flushMs: 5 }),
    ...(program !== undefined && { program }),
  })
  const cutAfterMs = Math.round(200 + Math.random() * 1_800)
  const links = await createLinksUntilKilled(server, cutAfterMs)

  const left = temporaryFolder()
  cpSync(keptIn, left, { recursive: true, filter: isOnDisk })
  const isWhole = passesCheck(keptIn)
  const restarted = await serve({ dataDir: left })
  const lost = (await lostLinks(restarted, links)).length
  await restarted.kill('SIGTERM')
  return { cutAfterMs, promised: links.size, lost, isWhole }
}

function passesCheck(folder: string): boolean {
  const database = new BetterSqlite3(join(folder, 'linnet.db'), { fileMustExist: true })
  const result = database.pragma('integrity_check', { simple: true })
  database.close()
  return result === 'ok'
}
