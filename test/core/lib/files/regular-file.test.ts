import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  openRegularFileSync,
  readRegularFile,
  readToEndSync,
} from '../../../../core/lib/files/regular-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linnet-file-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const readSync = (path: string, maxBytes: number) =>
  readToEndSync(openRegularFileSync(path), maxBytes)

const ways = [
  ['read', readRegularFile],
  ['read at once', async (path: string, maxBytes: number) => readSync(path, maxBytes)],
] as const

describe.each(ways)('a file whose path somebody gave, %s', (_, read) => {
  it.each([0, 1, 1_048_576, 3_000_000])(
    'is whole with %i bytes, if it may have them',
    async bytes => {
      const path = join(folder, 'file')
      const content = Buffer.alloc(bytes, 'ab')
      writeFileSync(path, content)
      expect(content.equals(await read(path, bytes))).toBe(true)
      if (bytes === 0) return
      await expect(read(path, bytes - 1)).rejects.toThrow(`it has more than ${bytes - 1} bytes`)
    },
  )

  it.each(['/dev/zero', '/', 'a pipe'])('is not %s', async what => {
    const path = what === 'a pipe' ? join(folder, 'pipe') : what
    if (what === 'a pipe') execFileSync('mkfifo', [path])
    await expect(read(path, 10)).rejects.toThrow('it is not a regular file')
  })

  it('is there', async () => {
    await expect(read(join(folder, 'missing'), 10)).rejects.toThrow('ENOENT')
  })
})
