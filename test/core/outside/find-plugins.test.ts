import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findPlugins } from '../../../core/outside/find-plugins.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linnet-find-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(files: Readonly<Record<string, string | object>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    writeFileSync(join(folder, name), text)
  }
}

const inPackage = (name: string, file: string) => `node_modules/${name}/${file}`
const linnet = { plugin: './index.js', api: '^1' }

/** A folder with this one package in it. */
function writePackage(manifest: object, file = 'index.js'): void {
  write({
    'package.json': { dependencies: { one: '^1.0.0' } },
    [inPackage('one', 'package.json')]: { name: 'one', version: '1.2.3', ...manifest },
    [inPackage('one', file)]: '',
  })
}

const problemOfOne = () => {
  const [found] = findPlugins(folder)
  return found && 'problem' in found.entry ? found.entry.problem : undefined
}

describe('the folder of plugins', () => {
  it('is empty where there is none, and not where a disk that fails does not say', () => {
    expect(findPlugins(join(folder, 'none'))).toEqual([])
    const loop = join(folder, 'loop')
    symlinkSync(loop, loop)
    expect(() => findPlugins(loop)).toThrow('ELOOP')
  })

  it('has no pipe that is named as a plugin is', () => {
    execFileSync('mkfifo', [join(folder, 'pipe.mjs')])
    const [found] = findPlugins(folder)
    expect(found?.entry).toEqual({ problem: 'it is not a regular file' })
  })

  it('may be missing or empty', () => {
    expect(findPlugins(join(folder, 'missing'))).toEqual([])
    expect(findPlugins(folder)).toEqual([])
  })

  it('has packages that it depends on and that say they are plugins, then single files', () => {
    write({
      'package.json': { dependencies: { '@acme/hours': '*', 'a-library': '*' } },
      [inPackage('@acme/hours', 'package.json')]: {
        version: '1.0.0',
        description: 'Hours.',
        linnet: { ...linnet, feature: 'acme.hours' },
      },
      [inPackage('@acme/hours', 'index.js')]: '',
      [inPackage('a-library', 'package.json')]: { version: '1.0.0' },
      [inPackage('not-asked-for', 'package.json')]: { version: '1.0.0', linnet },
      'words.mjs': '',
      'hours.js': '',
      'hours.test.js': '',
      'types.d.ts': '',
      '.hidden.js': '',
      'notes.txt': '',
      'parts/help.js': '',
    })
    expect(findPlugins(folder)).toEqual([
      {
        name: '@acme/hours',
        version: '1.0.0',
        description: 'Hours.',
        feature: 'acme.hours',
        needs: {},
        root: join(folder, 'node_modules/@acme/hours'),
        entry: { file: join(folder, 'node_modules/@acme/hours/index.js') },
      },
      ...['hours.js', 'words.mjs'].map(name => ({
        name,
        version: null,
        description: null,
        feature: null,
        needs: {},
        root: join(folder, name),
        entry: { file: join(folder, name) },
      })),
    ])
  })

  it('says of a link that it leads nowhere', () => {
    symlinkSync(join(folder, 'gone'), join(folder, 'hours.js'))
    expect(findPlugins(folder)).toMatchObject([
      { name: 'hours.js', entry: { problem: 'it is a link to a file that does not exist' } },
    ])
  })

  it('says which file npm did not write', () => {
    write({ 'package.json': '{ "dependencies": ' })
    expect(() => findPlugins(folder)).toThrow(
      `${join(folder, 'package.json')} is not as npm writes it. Repair it`,
    )
  })
})

describe('a package that cannot be imported', () => {
  it.each([
    ['^1', undefined],
    ['1', undefined],
    ['^1 || ^2', undefined],
    ['^2', /^it is for plugin API \^2, but this Linnet has 1: update Linnet, or use a version/],
    ['0', /^it is for plugin API 0, /],
    ['latest', /^its package\.json does not say which plugin API it is for: "linnet"/],
    [undefined, /^its package\.json does not say which plugin API it is for: "linnet"/],
  ])('with the API range %s', (api, problem) => {
    writePackage({ linnet: { plugin: './index.js', api } })
    if (problem) expect(problemOfOne()).toMatch(problem)
    else expect(problemOfOne()).toBeUndefined()
  })

  it.each([
    [{ linnet: './index.js' }, /^the "linnet" in its package\.json is not \{ "plugin"/],
    [
      { linnet: { ...linnet, plugin: './gone.js' } },
      /^its file \.\/gone\.js does not exist: build/,
    ],
    [{ linnet: { ...linnet, plugin: '../../words.js' } }, /^its file \S+ is outside the package/],
  ])('because its package.json has %j', (manifest, problem) => {
    writePackage(manifest)
    expect(problemOfOne()).toMatch(problem)
  })

  it('because it is TypeScript in node_modules', () => {
    writePackage({ linnet: { ...linnet, plugin: './index.ts' } }, 'index.ts')
    expect(problemOfOne()).toMatch(/^it is TypeScript, which Node does not run in packages/)
  })

  it('because npm has not installed it', () => {
    write({ 'package.json': { dependencies: { one: '^1.0.0' } } })
    expect(problemOfOne()).toBe(`it is not installed in ${folder}: run npm ci there, or remove it`)
  })
})
