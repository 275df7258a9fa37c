import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dimension, type Visit } from '../../../../core/plugin.ts'
import { withData } from '../../../../core/visits/count/dimension-data.ts'

let folder: string
let now: number
let opened: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linnet-data-'))
  mkdirSync(join(folder, 'acme.words'))
  now = 0
  opened = []
})
afterEach(() => rmSync(folder, { recursive: true }))

const visit = {} as Visit

const write = (content: string, name = 'words') => {
  writeFileSync(join(folder, 'new'), content)
  renameSync(join(folder, 'new'), join(folder, 'acme.words', name))
}

function open(content: Uint8Array): string {
  const text = Buffer.from(content).toString()
  opened.push(text)
  if (text === 'broken') throw new Error('no words')
  return text
}

/** What the dimensions with these data return for a visit. */
function counting(all: Parameters<typeof dimension<string>>[0]['unstable'][], most?: number) {
  const given = all.map((unstable, index) => ({
    ...dimension<string>({
      label: 'Word',
      of: (_, word) => word,
      ...(unstable && { unstable }),
    }),
    ...{ name: `word${index}`, feature: 'acme.words' },
  }))
  const bound = withData(given, folder, { ...(most && { most }), monotonicMs: () => now })
  return bound.map(it => () => it.of(visit, undefined))
}

describe('the data file of a dimension', () => {
  it('is not opened if it is no regular file', () => {
    symlinkSync('/dev/null', join(folder, 'acme.words', 'words'))
    const [first] = counting([{ data: { file: 'words', open } }])
    expect(first).toThrow('its data cannot be opened: it is not a regular file')
    expect(opened).toEqual([])
  })

  it('is opened when it is needed, once for those that share it, and again when it was replaced', () => {
    write('one')
    const shared = { data: { file: 'words', open } }
    const [first, second] = counting([shared, shared])
    expect(opened).toEqual([])
    expect([first?.(), second?.(), first?.()]).toEqual(['one', 'one', 'one'])
    write('two')
    expect(first?.()).toBe('one')
    now += 1_000
    expect([first?.(), second?.()]).toEqual(['two', 'two'])
    now += 1_000
    expect(first?.()).toBe('two')
    expect(opened).toEqual(['one', 'two'])
  })

  it('may come with the plugin', () => {
    write('shipped')
    const file = pathToFileURL(join(folder, 'acme.words/words'))
    expect(counting([{ data: { file, open } }])[0]?.()).toBe('shipped')
  })

  it('fails its own dimensions alone while it is missing, broken or too large, until it is replaced', () => {
    write('other', 'others')
    const all = [{ data: { file: 'words', open } }, { data: { file: 'others', open } }]
    const [first, second] = counting(all, 12)
    const troubles = []
    for (const content of [undefined, 'broken', 'much too large', 'fine']) {
      if (content !== undefined) write(content)
      now += 1_000
      try {
        troubles.push(first?.())
      } catch (error) {
        troubles.push(String(error))
      }
      expect(second?.()).toBe('other')
    }
    expect(troubles).toEqual([
      expect.stringContaining('its data cannot be opened: ENOENT'),
      'Error: its data cannot be opened: no words',
      'Error: its data cannot be opened: data files may have 12 bytes together, and this one has 14',
      'fine',
    ])
    // What cannot be opened is not opened at each visit.
    expect(opened).toEqual(['other', 'broken', 'fine'])
  })

  it('cannot be opened by a promise', () => {
    write('one')
    const later = async () => Promise.reject(new Error('later'))
    const [ask] = counting([{ data: { file: 'words', open: later as never } }])
    expect(() => ask?.()).toThrow('open returned a promise')
  })
})
