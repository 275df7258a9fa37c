import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { writeWhole } from '../../../../plugins/organization/exports/write-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'linnet-write-'))
afterAll(() => rmSync(folder, { recursive: true }))
const never = new AbortController().signal

it('a file that is written whole has its name only then, and leaves nothing when it is stopped or fails', async () => {
  const stop = new AbortController()
  const path = join(folder, 'all.jsonl')
  async function* thenStop() {
    yield 'one\n'
    expect(readdirSync(folder)).toEqual(['all.jsonl.part'])
    stop.abort()
    yield 'two\n'
  }
  await expect(writeWhole(path, thenStop(), stop.signal)).rejects.toThrow(/abort/)
  async function* thenFail() {
    yield 'one\n'
    throw new Error('the database is away')
  }
  await expect(writeWhole(path, thenFail(), never)).rejects.toThrow('the database is away')
  expect(readdirSync(folder)).toEqual([])
  async function* whole() {
    yield 'one\n'
    yield 'two\n'
  }
  await writeWhole(path, whole(), never)
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n')
  expect(readdirSync(folder)).toEqual(['all.jsonl'])
})
