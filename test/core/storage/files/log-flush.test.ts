import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createLogFlush,
  type LogFile,
  type LogFlush,
  type OpenLog,
} from '../../../../core/storage/files/log-flush.ts'
import { isOutOfReach } from '../../../../core/storage/files/out-of-reach.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linnet-log-'))
  file = join(folder, 'linnet.db')
  writeFileSync(`${file}-wal`, '')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const commit = (text: string) => writeFileSync(`${file}-wal`, text, { flag: 'a' })

/**
 * A disk that has what was flushed. As on Linux, what it could not write when it failed counts as written
 * afterwards: it gets there only when somebody writes it once more.
 */
function disk() {
  let flushes = 0
  let waiting: (() => void)[] = []
  let isHeld = false
  let failing: string | undefined
  let kept = ''
  /** From where on nothing but what is written again gets there. */
  let lostFrom: number | undefined

  const read = () => readFileSync(`${file}-wal`, 'utf8')
  async function datasync(): Promise<void> {
    flushes += 1
    const now = read()
    if (isHeld) await new Promise<void>(resolve => waiting.push(resolve))
    if (failing !== undefined) {
      lostFrom ??= kept.length
      throw Object.assign(new Error(`${failing}: fdatasync`), { code: failing })
    }
    kept = now.slice(0, lostFrom)
  }

  return {
    async open(path: string): Promise<LogFile> {
      const handle = await open(path, 'r+')
      return {
        fd: handle.fd,
        read: handle.read.bind(handle) as LogFile['read'],
        close: () => handle.close(),
        datasync,
        write: (async (buffer: Uint8Array, offset: number, length: number, position: number) => {
          if (lostFrom !== undefined && position <= lostFrom) lostFrom = undefined
          return handle.write(buffer, offset, length, position)
        }) as LogFile['write'],
      }
    },
    kept: () => kept,
    flushes: () => flushes,
    fail: (code: string | undefined) => {
      failing = code
    },
    hold() {
      isHeld = true
    },
    letGo() {
      isHeld = false
      for (const resolve of waiting) resolve()
      waiting = []
    },
  }
}

async function mended(open?: OpenLog): Promise<LogFlush> {
  const flush = createLogFlush(file, open)
  await flush.mend()
  return flush
}

describe('a flush', () => {
  it('ends when all is on the disk that was committed before it was asked for', async () => {
    const { open, kept } = disk()
    const flush = await mended(open)
    commit('a')
    await flush.flush()
    expect(kept()).toBe('a')
    commit('b')
    await flush.flush()
    expect(kept()).toBe('ab')
    await flush.close()
  })

  it('is shared by all commits that wait while another one is under way, and begins after it', async () => {
    const { open, kept, flushes, hold, letGo } = disk()
    const flush = await mended(open)
    commit('a')
    hold()
    const first = flush.flush()
    await expect.poll(flushes).toBe(2)
    const others = ['b', 'c', 'd'].map(text => {
      commit(text)
      return flush.flush()
    })
    letGo()
    await first
    await Promise.all(others)
    expect(kept()).toBe('abcd')
    expect(flushes()).toBe(3)
    await flush.close()
  })

  it('fails when the log was deleted or replaced, for a start would not find it', async () => {
    const flush = await mended()
    await flush.flush()
    rmSync(`${file}-wal`)
    writeFileSync(`${file}-wal`, 'another one')
    const why = await flush.flush().catch((error: unknown) => error)
    expect(String(why)).toMatch(/linnet\.db-wal was deleted or replaced/)
    expect(isOutOfReach(why)).toBe(true)
    await flush.close()
  })
})

describe('at first', () => {
  it('the log is in need of mending, for the process before may have failed to flush it', async () => {
    const { open, kept, fail } = disk()
    commit('a')
    fail('EIO')
    const before = await open(`${file}-wal`)
    await expect(before.datasync()).rejects.toThrow('EIO')
    await before.close()
    fail(undefined)

    const flush = createLogFlush(file, open)
    expect(flush.needsMending()).toBe(true)
    commit('b')
    await expect(flush.flush()).rejects.toThrow('may not be written to the disk')
    await flush.mend()
    expect(kept()).toBe('ab')
    await flush.close()
  })
})

describe('after a flush that failed', () => {
  it('no other one succeeds until the log is mended, and then all of it is on the disk', async () => {
    const { open, kept, fail } = disk()
    const flush = await mended(open)
    let told = 0
    flush.onFailed(() => {
      told += 1
    })
    commit('a')
    await flush.flush()
    fail('EIO')
    commit('b')
    await expect(flush.flush()).rejects.toThrow('EIO')
    expect(told).toBe(1)
    expect(flush.needsMending()).toBe(true)

    fail(undefined)
    commit('c')
    await expect(flush.flush()).rejects.toThrow(/linnet\.db-wal may not be written to the disk/)
    expect(kept()).toBe('a')

    await flush.mend()
    expect(flush.needsMending()).toBe(false)
    expect(kept()).toBe('abc')
    commit('d')
    await flush.flush()
    expect(kept()).toBe('abcd')
    await flush.close()
  })

  it('control: a disk that is only flushed again keeps nothing that came after', async () => {
    const { open, kept, fail } = disk()
    const log = await open(`${file}-wal`)
    fail('EIO')
    commit('a')
    await expect(log.datasync()).rejects.toThrow('EIO')
    fail(undefined)
    commit('b')
    await log.datasync()
    expect(kept()).toBe('')
    await log.close()
  })

  it('is out of reach, whatever its file system calls that', async () => {
    const { open, fail } = disk()
    const flush = await mended(open)
    fail('ESTALE')
    commit('a')
    const failures = [flush.flush(), flush.mend()].map(it => it.catch((error: unknown) => error))
    expect((await Promise.all(failures)).map(isOutOfReach)).toEqual([true, true])
    await flush.close()
  })

  it('stays in need of mending while that fails too', async () => {
    const { open, fail } = disk()
    const flush = await mended(open)
    fail('EIO')
    commit('a')
    await expect(flush.flush()).rejects.toThrow('EIO')
    await expect(flush.mend()).rejects.toThrow('EIO')
    expect(flush.needsMending()).toBe(true)
    await flush.close()
  })
})
