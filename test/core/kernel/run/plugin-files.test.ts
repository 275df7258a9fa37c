import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keepFiles } from '../../../../core/kernel/run/plugin-files.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linnet-files-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('the files of a plugin', () => {
  it('are in a folder of its own, and written as a whole', async () => {
    const files = keepFiles(folder, 'acme.words')
    expect(files.writtenAt('words.csv')).toBeUndefined()
    await Promise.all(['one', 'two'].map(it => files.replace('words.csv', Buffer.from(it))))
    expect(readdirSync(join(folder, 'acme.words'))).toEqual(['words.csv'])
    const content = readFileSync(join(folder, 'acme.words/words.csv'), 'utf8')
    expect(['one', 'two']).toContain(content)
    expect(files.writtenAt('words.csv')).toBeInstanceOf(Date)
    await files.remove('words.csv')
    await files.remove('words.csv')
    expect(readdirSync(join(folder, 'acme.words'))).toEqual([])
  })

  it.each(['../x', 'a/b', '.hidden', 'A', '', 'x'.repeat(65), 'a\u0000'])(
    'cannot be called %j',
    async name => {
      const files = keepFiles(folder, 'acme.words')
      await expect(files.replace(name, Buffer.from(''))).rejects.toThrow('A file cannot be called')
      expect(() => files.writtenAt(name)).toThrow('A file cannot be called')
      await expect(files.remove(name)).rejects.toThrow('A file cannot be called')
      expect(readdirSync(folder)).toEqual([])
    },
  )

  it('are a hundred at most, of which each can be replaced', async () => {
    const files = keepFiles(folder, 'acme.words')
    for (let number = 0; number < 100; number += 1) {
      await files.replace(`f${number}`, Buffer.from(''))
    }
    await expect(files.replace('more', Buffer.from(''))).rejects.toThrow('100 files already')
    await files.replace('f7', Buffer.from('new'))
    expect(readdirSync(join(folder, 'acme.words'))).toHaveLength(100)
  })

  it('are nowhere where there is no folder', async () => {
    const files = keepFiles(undefined, 'acme.words')
    await expect(files.replace('x', Buffer.from(''))).rejects.toThrow('no folder')
  })
})
