import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { apart } from '../../../../../plugins/organization/imports/apart/read-apart.ts'
import { openFile } from '../../../../../plugins/organization/imports/runs/open-file.ts'
import { type Item, SourceError } from '../../../../../plugins/organization/imports/source.ts'
import { csv } from '../../../../../plugins/organization/imports/sources/csv.ts'
import { all, asked } from '../from-text.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linnet-apart-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const rows = (count: number) =>
  `short code,original url\n${Array.from({ length: count }, (_, row) => `c${row},https://example.com/${row}\n`).join('')}`

/** What a source is asked to read, and how far it says that it read. */
async function reading(content: string | Uint8Array, signal = new AbortController().signal) {
  const path = join(folder, 'links.csv')
  writeFileSync(path, content)
  const read: number[] = []
  const file = await openFile(path, 'links.csv', bytes => read.push(bytes))
  return { read, asked: asked({ folder, file, signal }) }
}

/** The processes that read files of this test. */
function readers(): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && isReader(name))
    .map(Number)
}

function isReader(pid: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
  } catch {
    return false
  }
}

describe('a file that is read in a process of its own', () => {
  it('gives what it gives here, and says how far it was read', async () => {
    const there = await reading(gzipSync(rows(1_000)))
    const items = await all(apart(csv).read(there.asked))
    expect(items).toEqual(await all(csv.read((await reading(rows(1_000))).asked)))
    expect(items).toHaveLength(1_000)
    expect(there.read.at(-1)).toBe(there.asked.file?.bytes)
    expect(readers()).toEqual([])
  })

  it('gives what came before the row because of which it cannot be read on, and says why', async () => {
    const { asked } = await reading(`${rows(300)}"never closed`)
    const items: Item[] = []
    const whole = (async () => {
      for await (const item of apart(csv).read(asked)) items.push(item)
    })()
    await expect(whole).rejects.toThrow(SourceError)
    await expect(whole).rejects.toThrow('line 302')
    expect(items.length).toBeGreaterThan(290)
  })

  it('fails with a sentence if it ends that process, and not this one', async () => {
    const { asked } = await reading(rows(100_000))
    let count = 0
    const whole = (async () => {
      for await (const _ of apart(csv).read(asked)) {
        count += 1
        if (count === 300) for (const pid of readers()) process.kill(pid, 'SIGKILL')
      }
    })()
    await expect(whole).rejects.toThrow(
      new SourceError(
        'The process that reads the file was killed: by the system, as it does where memory is short, or by somebody. Go on; if that ends in the same way, split the file, or give the server more memory.',
      ),
    )
    expect(count).toBeLessThan(100_000)
  })

  it('is refused where there is no room for that process, and all else of its source stays', () => {
    expect(apart(csv, 192).file).toEqual(csv.file)
    const { file, ...source } = apart(csv, 191)
    expect(file).toEqual({ ...csv.file, refusal: expect.stringContaining('needs 192 MiB') })
    expect({ ...source, read: csv.read, file: csv.file }).toEqual(csv)
  })

  it('fails with what the process said of it, where it is our fault', async () => {
    const { asked } = await reading(rows(100_000))
    let count = 0
    const whole = (async () => {
      for await (const _ of apart(csv).read(asked)) {
        count += 1
        if (count === 300) for (const pid of readers()) process.kill(pid, 'SIGTERM')
      }
    })()
    await expect(whole).rejects.toThrow(
      new Error('The process that reads a file ended with SIGTERM: '),
    )
  })

  it.each<[how: string, (stop: AbortController) => unknown]>([
    ['the import is stopped', stop => stop.abort(new Error('stopped'))],
    ['nobody wants more of it', () => 'leave'],
  ])('leaves no process behind when %s', async (_, end) => {
    const stop = new AbortController()
    const { asked } = await reading(rows(100_000), stop.signal)
    const whole = (async () => {
      for await (const _ of apart(csv).read(asked)) if (end(stop) === 'leave') break
    })()
    await (stop.signal.aborted
      ? expect(whole).rejects.toThrow('stopped')
      : whole.catch(() => undefined))
    expect(readers()).toEqual([])
  })
})
