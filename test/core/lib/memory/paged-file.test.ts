import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PagedFile } from '../../../../core/lib/memory/paged-file.ts'
import { temporaryFolder } from '../../visits/fixtures.ts'

const page = 4_096
const bytes = Buffer.from(
  Uint32Array.from({ length: 20_000 }, (_, at) => at * 2_654_435_761).buffer,
)

function fileOf(content: Uint8Array): string {
  const path = join(temporaryFolder(), 'large')
  writeFileSync(path, content)
  return path
}

/** What follows a byte, as far as that is promised. */
function eightAt(file: PagedFile, at: number): Buffer {
  const place = file.locate(at)
  return file.bytes.subarray(place, place + Math.min(8, bytes.length - at))
}

describe('a file of which few pages are in memory', () => {
  it('has everywhere the bytes of the file, in the memory that it may take', () => {
    const file = new PagedFile(fileOf(bytes), 3 * page)
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length - 1), { maxLength: 50 }), places => {
        for (const at of places) {
          expect([at, ...eightAt(file, at)]).toEqual([at, ...bytes.subarray(at, at + 8)])
        }
      }),
    )
    expect(file.bytes.length).toBeLessThan(3 * page + 100)
  })

  it('is a regular file, and never a device', () => {
    expect(() => new PagedFile('/dev/null', page)).toThrow('it is not a regular file')
  })

  it('takes no memory for pages before the first is read', () => {
    const file = new PagedFile(fileOf(bytes), bytes.length)
    expect([file.size, file.bytes.length]).toEqual([bytes.length, 0])
    file.locate(0)
    expect(file.bytes.length).toBeGreaterThan(0)
  })

  it.each([
    [0, bytes.length],
    [page - 3, 11],
    [page - 3, 12],
    [bytes.length - 1, 1],
    [bytes.length, 0],
  ])('copies, from byte %i, %i bytes', (at, length) => {
    const file = new PagedFile(fileOf(bytes), 2 * page)
    expect(file.copy(at, length).equals(bytes.subarray(at, at + length))).toBe(true)
  })

  it.each([-1, bytes.length, Number.NaN, 1e15])('has nothing at byte %d', at => {
    const file = new PagedFile(fileOf(bytes), 2 * page)
    expect(() => file.locate(at)).toThrow('it ends before')
    expect(() => file.copy(at, 1)).toThrow('it ends before')
  })

  it('stays readable when it is deleted, or another takes its place', () => {
    const path = fileOf(bytes)
    const file = new PagedFile(path, 2 * page)
    const other = fileOf(Buffer.alloc(bytes.length))
    renameSync(other, path)
    expect(eightAt(file, 5 * page).equals(bytes.subarray(5 * page, 5 * page + 8))).toBe(true)
    rmSync(path)
    expect(eightAt(file, 9 * page).equals(bytes.subarray(9 * page, 9 * page + 8))).toBe(true)
  })

  it('is not read any more when it is written over', () => {
    const path = fileOf(bytes)
    const file = new PagedFile(path, 2 * page)
    expect(eightAt(file, 0).equals(bytes.subarray(0, 8))).toBe(true)
    writeFileSync(path, Buffer.alloc(bytes.length + 1))
    expect(() => file.locate(5 * page)).toThrow('written over')
    expect(() => file.copy(0, bytes.length)).toThrow('written over')
  })
})
