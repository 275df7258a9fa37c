import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadInThread } from '../../../core/outside/load-in-thread.ts'
import { loadOutside } from '../../../core/outside/load-outside.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linnet-load-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const program = pathToFileURL(`${tmpdir()}/`)
const load = (isOff?: (feature: string) => boolean) =>
  loadOutside(folder, { program, version: '0.1.0', ours: ['link.ours'], ...(isOff && { isOff }) })

function write(name: string, code: string): void {
  writeFileSync(join(folder, name), code)
}

const plugin = (feature: string) =>
  `export default { api: 1, feature: '${feature}', about: 'A plugin for a test.' }`

it('loading plugins from outside imports what it finds, each by the name that it has here', async () => {
  write('one.mjs', plugin('acme.one'))
  const { plugins, broken } = await load()
  expect(broken).toEqual([])
  expect(plugins).toMatchObject([
    { name: 'one.mjs', version: null, feature: 'acme.one', isAsleep: false },
  ])
  expect(await plugins[0]?.read()).toMatchObject({ feature: 'acme.one' })
})

describe('a plugin that is off', () => {
  function writePackage(said: string, brings: string): void {
    const home = join(folder, 'node_modules/hours')
    mkdirSync(home, { recursive: true })
    write('package.json', '{ "dependencies": { "hours": "*" } }')
    const linnet = { plugin: './index.mjs', api: '^1', feature: said }
    const manifest = { version: '1.0.0', type: 'module', description: 'Hours.', linnet }
    writeFileSync(join(home, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(home, 'index.mjs'), `globalThis.hoursRead = true\n${plugin(brings)}`)
  }

  const isRead = () => 'hoursRead' in globalThis

  it('is not imported where its package says what it is, until it is asked for', async () => {
    writePackage('acme.hours', 'acme.hours')
    const { plugins, broken } = await load(feature => feature === 'acme.hours')
    expect(broken).toEqual([])
    expect(plugins).toMatchObject([
      { name: 'hours', feature: 'acme.hours', description: 'Hours.', isAsleep: true },
    ])
    expect(isRead()).toBe(false)
    expect(await plugins[0]?.read()).toMatchObject({ feature: 'acme.hours' })
    expect(isRead()).toBe(true)
  })

  it('is told apart from what its package says, once it is imported', async () => {
    writePackage('acme.hours', 'acme.days')
    const why = 'its package.json says that it provides acme.hours, but it provides acme.days'
    const asleep = await load(() => true)
    await expect(asleep.plugins[0]?.read()).rejects.toThrow(why)
    expect((await load()).broken).toMatchObject([{ name: 'hours', problem: why }])
  })

  it('has its feature, before what comes after', async () => {
    writePackage('acme.hours', 'acme.hours')
    write('later.mjs', plugin('acme.hours'))
    const { broken } = await load(() => true)
    expect(broken).toMatchObject([{ name: 'later.mjs', rival: { name: 'hours' } }])
  })
})

it('loading plugins from outside says of each that is broken what is wrong, and takes the others', async () => {
  write('1-throws.mjs', 'throw new Error("boom")')
  write('2-lacks.mjs', 'import "left-pad-that-is-not-there"')
  write('3-lacks.mjs', 'import "./gone.js"')
  write('4-empty.mjs', '')
  write('5-shape.mjs', plugin('acme').replace('A plugin', 'a').replace('test.', 'test'))
  write('6-old.mjs', plugin('acme.old').replace('api: 1', 'api: 7'))
  write('7-ours.mjs', plugin('link.ours'))
  write('8-good.mjs', plugin('acme.good'))
  write('9-twice.mjs', plugin('acme.good'))
  const { plugins, broken } = await load()
  expect(plugins.map(({ name }) => name)).toEqual(['8-good.mjs'])
  expect(Object.fromEntries(broken.map(({ name, problem }) => [name, problem]))).toEqual({
    '1-throws.mjs': 'loading it fails: boom (1-throws.mjs:1)',
    '2-lacks.mjs':
      'it needs the package left-pad-that-is-not-there, which is not installed: add that to the dependencies in its package.json',
    '3-lacks.mjs': expect.stringMatching(
      /^its file \S*\/gone\.js does not exist: build the plugin, and add it again$/,
    ),
    '4-empty.mjs': 'it exports no plugin. Its default export must be definePlugin({ … })',
    '5-shape.mjs':
      'it has no valid feature. Name it group.name, such as acme.officeHours; ' +
      'it has no valid description. Set about to one line of 3 to 162 characters that ends with a full stop',
    '6-old.mjs': 'it was written for plugin API 7, this is 1: update the plugin',
    '7-ours.mjs': 'it provides link.ours, which Linnet already provides',
    '9-twice.mjs': 'it provides acme.good, which 8-good.mjs already provides',
  })
})

it.each(['module.exports', 'exports.default'])(
  'loading plugins from outside says of one with %s that it must be an ES module',
  async exported => {
    write(
      'old.js',
      `const { definePlugin } = require('linnet/plugin')\n${exported} = definePlugin({})`,
    )
    const { broken } = await load()
    expect(broken).toMatchObject([
      {
        name: 'old.js',
        problem: expect.stringMatching(/^it is CommonJS, and a plugin is an ES module: /),
      },
    ])
  },
)

it('loading plugins from outside says what is wrong with an ES module in one line that names require', async () => {
  write('bundle.mjs', 'var e={says:"require"};throw new Error("boom");export{e as default}')
  const { broken } = await load()
  expect(broken).toMatchObject([{ problem: 'loading it fails: boom (bundle.mjs:1)' }])
})

it('a plugin that adds to all objects is broken, and says where, so that what others find in theirs stays as it is', async () => {
  write('adds.mjs', `Object.prototype.last = () => undefined\n${plugin('acme.adds')}`)
  write('good.mjs', plugin('acme.good'))
  const { plugins, broken } = await load()
  expect(broken).toMatchObject([
    {
      name: 'adds.mjs',
      problem: 'loading it fails: Cannot add property last, object is not extensible (adds.mjs:1)',
    },
  ])
  expect(plugins).toMatchObject([{ feature: 'acme.good' }])
  expect('last' in {}).toBe(false)
})

it('loading plugins from outside shows where one throws, by the names of its files', async () => {
  write('throws.mjs', '\nthrow new Error("boom")')
  const { broken } = await load()
  expect(broken[0]?.stack).toMatch(/^Error: boom\n\s+at \S+\/throws\.mjs:2:7\n/)
})

it('a plugin that the recorder’s thread cannot read any more fails at each visit', async () => {
  const outside = [
    {
      feature: 'acme.gone',
      url: pathToFileURL(join(folder, 'gone.mjs')).href,
      dimensions: ['visitsByMood'],
    },
  ]
  const [gone] = await loadInThread({}, { features: ['acme.gone'], outside }, program)
  expect(() => gone?.dimensions?.visitsByMood?.of(undefined as never, undefined)).toThrow(
    /gone\.mjs does not exist/,
  )
})

it('a plugin that would end the process is kept from doing so, and named', async () => {
  write('ends.mjs', 'process.exit(0)')
  write('good.mjs', plugin('acme.good'))
  const { plugins, broken } = await load()
  expect(broken).toMatchObject([
    { name: 'ends.mjs', problem: 'loading it fails: it ends the process (ends.mjs:1)' },
  ])
  expect(plugins).toHaveLength(1)
})
