import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { changeFolder, finishChange } from '../../../core/outside/change-folder.ts'

let parent: string
let folder: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'linnet-change-'))
  folder = join(parent, 'plugins')
})
afterEach(() => rmSync(parent, { recursive: true }))

const read = (name: string) => readFileSync(join(folder, name), 'utf8')

it('a change of the folder of plugins is put in place when it has succeeded, and leaves what is not of npm alone', async () => {
  await changeFolder(folder, async copy => writeFileSync(join(copy, 'node_modules/one'), '1'))
  writeFileSync(join(folder, 'mine.js'), 'mine')
  writeFileSync(join(folder, '.npmrc'), 'registry=https://npm.example.org')
  await changeFolder(folder, async copy => {
    expect(readFileSync(join(copy, 'node_modules/one'), 'utf8')).toBe('1')
    expect(readFileSync(join(copy, '.npmrc'), 'utf8')).toContain('npm.example.org')
    rmSync(join(copy, 'node_modules/one'))
    writeFileSync(join(copy, 'node_modules/two'), '2')
    // Meanwhile nothing shows.
    expect(readdirSync(join(folder, 'node_modules'))).toEqual(['one'])
    writeFileSync(join(folder, 'mine.js'), 'changed meanwhile')
  })
  expect(readdirSync(join(folder, 'node_modules'))).toEqual(['two'])
  expect(read('mine.js')).toBe('changed meanwhile')
  expect(readdirSync(folder).sort()).toEqual([
    '.lock',
    '.npmrc',
    'mine.js',
    'node_modules',
    'package.json',
    'packages',
  ])
})

it('a change that fails leaves no folder of plugins where there was none', async () => {
  const fails = changeFolder(folder, async () => Promise.reject(new Error('no')))
  await expect(fails).rejects.toThrow('no')
  expect(existsSync(folder)).toBe(false)
})

it('a change of the folder of plugins clears away what a process that was killed had begun', async () => {
  mkdirSync(join(folder, '.next-killed/node_modules'), { recursive: true })
  await changeFolder(folder, async () => undefined)
  expect(readdirSync(folder).sort()).toEqual(['.lock', 'node_modules', 'package.json', 'packages'])
})

it('the folder of plugins takes one change at a time', async () => {
  await changeFolder(folder, async () => {
    await expect(changeFolder(folder, async () => undefined)).rejects.toThrow(
      'Another process is installing plugins. Try again when it is done.',
    )
  })
})

it('Linnet finishes a change whose process ended while it was put in its place', () => {
  mkdirSync(join(folder, '.ready/node_modules'), { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  writeFileSync(join(folder, 'node_modules/old'), '')
  writeFileSync(join(folder, '.ready/node_modules/new'), '')
  // This was moved before the end.
  writeFileSync(join(folder, 'package.json'), 'new')
  finishChange(folder)
  expect(readdirSync(join(folder, 'node_modules'))).toEqual(['new'])
  expect(read('package.json')).toBe('new')
  expect(existsSync(join(folder, '.ready'))).toBe(false)
})
