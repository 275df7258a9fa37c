import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createBlockLists } from '../../../../plugins/link/url-scanning/block-lists.ts'
import { createHashSet } from '../../../../plugins/link/url-scanning/hash-set.ts'
import { keysOfUrl } from '../../../../plugins/link/url-scanning/keys-of-url.ts'
import { keysInLine } from '../../../../plugins/link/url-scanning/list-line.ts'
import { readList } from '../../../../plugins/link/url-scanning/read-list.ts'

describe('a line of a list', () => {
  it.each([
    ['evil.example', ['evil.example']],
    ['  EVIL.Example.  ', ['evil.example']],
    ['*.evil.example', ['evil.example']],
    ['bücher.example', ['xn--bcher-kva.example']],
    ['198.51.100.7', ['198.51.100.7']],
    ['0.0.0.0 evil.example', ['evil.example']],
    ['127.0.0.1\tevil.example worse.example # both', ['evil.example', 'worse.example']],
    [':: evil.example', ['evil.example']],
    ['||evil.example^', ['evil.example']],
    ['https://Example.com/evil/', ['example.com/evil']],
    ['http://example.com:8080/a?b=c', ['example.com:8080/a?b=c']],
  ])('%j blocks %j', (line, keys) => expect(keysInLine(line)).toEqual(keys))

  it.each([
    '',
    '# evil.example',
    '! evil.example',
    '; evil.example',
    '[Adblock Plus]',
    '127.0.0.1 localhost',
    'com',
    '@@||fine.example^',
    '||evil.example^$third-party',
    '||evil.example/path^',
    'evil.example##.banner',
    'two words',
    '<html>',
    'https://',
    '\u0000\u0001',
  ])('%j blocks nothing', line => expect(keysInLine(line)).toEqual([]))
})

describe('an address', () => {
  const isOn = (line: string, url: string) =>
    keysInLine(line).some(key => keysOfUrl(new URL(url)).includes(key))

  it.each([
    ['evil.example', 'https://evil.example/'],
    ['evil.example', 'http://a.b.evil.example:8080/x?y#z'],
    ['evil.example', 'https://evil.example./'],
    ['198.51.100.7', 'http://198.51.100.7/'],
    ['198.51.100.7', 'http://3325256711/'],
    ['http://example.com/evil', 'https://example.com/evil'],
    ['http://example.com/evil', 'https://example.com/evil/deep?x=1'],
    ['http://example.com/evil', 'https://example.com/evil?x=1'],
    ['http://example.com/e?id=7', 'https://example.com/e?id=7&utm_source=x'],
    ['http://example.com:8080/', 'http://example.com:8080/anything'],
  ])('the entry %s is for %s', (line, url) => expect(isOn(line, url)).toBe(true))

  it.each([
    ['evil.example', 'https://notevil.example/'],
    ['evil.example', 'https://evil.example.com/'],
    ['evil.example', 'https://example/evil.example'],
    ['www.evil.example', 'https://evil.example/'],
    ['http://example.com/evil', 'https://example.com/evillage'],
    ['http://example.com/evil', 'https://example.com/'],
    ['http://example.com:8080/', 'http://example.com/'],
    ['51.100.7', 'http://198.51.100.7/'],
  ])('the entry %s is not for %s', (line, url) => expect(isOn(line, url)).toBe(false))

  it('is taken apart at few places, however long it is', () => {
    const url = new URL(`https://${'a.'.repeat(100)}example/${'x/'.repeat(4_000)}`)
    expect(keysOfUrl(url).length).toBeLessThan(130)
  })

  it('are those of the host in an address of an app, and none where there is no host', () => {
    expect(keysOfUrl(new URL('intent://a.EVIL.example/x#Intent;end'))).toContain('evil.example')
    expect(keysOfUrl(new URL('mailto:ada@evil.example?subject=x'))).toEqual([])
    expect(keysOfUrl(new URL('myapp:///evil'))).toEqual([])
  })
})

describe('a set of hashes', () => {
  it('has what was added, and nothing else', () => {
    const set = createHashSet()
    const text = (index: number) => `n${index}.example`
    for (let index = 0; index < 50_000; index += 1) set.add(text(index))
    set.add(text(7))
    expect(set.size).toBe(50_000)
    const all = Array.from({ length: 100_000 }, (_, index) => set.has(text(index)))
    expect(all.indexOf(false)).toBe(50_000)
    expect(all.lastIndexOf(true)).toBe(49_999)
  })

  it('takes at most 24 bytes for each', () => {
    const set = createHashSet()
    for (let index = 0; index < 100_000; index += 1) set.add(`n${index}.example`)
    expect(set.bytes / set.size).toBeLessThanOrEqual(24)
  })
})

describe('a list', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'linnet-lists-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const running = new AbortController().signal

  it('is read up to a size, by what comes and not by what the file says', async () => {
    const path = join(folder, 'list.txt')
    writeFileSync(path, 'evil.example\n'.repeat(1_000))
    expect((await readList(path, running, 13_000)).size).toBe(1)
    await expect(readList(path, running, 12_999)).rejects.toThrow('more than 12999 bytes')
  })

  it('that takes long to read holds up no start, and counts once it is there', async () => {
    const path = join(folder, 'list.txt')
    // Of many chunks, and timers have their turn after each.
    writeFileSync(path, 'evil.example\n'.repeat(100_000))
    const said: string[] = []
    const say = (line: string) => void said.push(line)
    const log = { info: say, warn: say, error: say }
    const lists = createBlockLists([path], { log, signal: running })
    await lists.begin(0)
    expect(said).toEqual([
      'Lists are still being read. Until then URLs are not checked against them.',
    ])
    await lists.refresh()
    expect(lists.find(new URL('https://evil.example/'))).toBe('list.txt')
  })
})
