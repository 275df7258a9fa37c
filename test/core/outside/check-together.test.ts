import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkTogether } from '../../../core/outside/check-together.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linnet-together-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Packages as npm would have installed them, each with the rest of its plugin. */
function install(packages: Readonly<Record<string, string>>): void {
  const dependencies = Object.fromEntries(Object.keys(packages).map(name => [name, '^1.0.0']))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies }))
  for (const [name, plugin] of Object.entries(packages)) {
    const root = join(folder, 'node_modules', name)
    mkdirSync(root, { recursive: true })
    const linnet = { plugin: './index.js', api: '^1' }
    const about = { name, version: '1.0.0', type: 'module', linnet }
    writeFileSync(join(root, 'package.json'), JSON.stringify(about))
    const code = `export default { api: 1, about: 'A plugin for a test.', ${plugin} }`
    writeFileSync(join(root, 'index.js'), code)
  }
}

const program = pathToFileURL(`${tmpdir()}/`)
const check = (added: string) =>
  checkTogether(folder, [added], { registry: {}, program, version: '0.1.0' })

const visitsByMood = `dimensions: { visitsByMood: { label: 'Mood', of: () => 'sad' } }`

it.each([
  ['linnet-plugin-dup', 'linnet-plugin-hours'],
  ['linnet-plugin-hours', 'linnet-plugin-dup'],
])(
  'checking plugins together names %s, which was added, and not %s, which has its feature',
  async (added, before) => {
    const hours = `feature: 'acme.hours'`
    install({ [added]: hours, [before]: hours })
    await expect(check(added)).rejects.toThrow(
      `${added} cannot be used: it provides acme.hours, which ${before} already provides. Nothing was changed.`,
    )
  },
)

it.each([
  [
    'linnet-plugin-a',
    'linnet-plugin-b',
    /^linnet-plugin-a cannot be used together with linnet-plugin-b: /,
  ],
  ['linnet-plugin-b', 'linnet-plugin-a', /^linnet-plugin-b cannot be used: /],
])(
  'checking plugins together refuses %s, which counts what %s counts already',
  async (added, before, beginning) => {
    install({
      [added]: `feature: 'acme.added', ${visitsByMood}`,
      [before]: `feature: 'acme.before', ${visitsByMood}`,
    })
    await expect(check(added)).rejects.toThrow(beginning)
    await expect(check(added)).rejects.toThrow(
      /both have the dimension visitsByMood\. Rename one\./,
    )
  },
)

it('checking plugins together refuses what needs a folder that only its author has, and takes what brings it along', async () => {
  install({ one: `feature: 'acme.hours'` })
  const root = join(folder, 'node_modules/one')
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const needing = (range: string) =>
    writeFileSync(
      join(root, 'package.json'),
      JSON.stringify({ ...manifest, dependencies: { lib: range, other: '^1.0.0' } }),
    )
  for (const range of ['file:../lib', '../lib', 'file:./lib']) {
    needing(range)
    await expect(check('one')).rejects.toThrow(
      `one cannot be used: it needs lib from ${range}, which is not in its package: publish lib too, or name it in bundleDependencies. Nothing was changed.`,
    )
  }
  mkdirSync(join(root, 'lib'))
  expect(await check('one')).toMatchObject([{ name: 'one' }])
  mkdirSync(join(root, 'node_modules/lib'), { recursive: true })
  needing('file:../lib')
  expect(await check('one')).toMatchObject([{ name: 'one' }])
})

it('checking plugins together takes two features that are called alike in two groups', async () => {
  install({ one: `feature: 'acme.hours'`, two: `feature: 'other.hours'` })
  expect(await check('two')).toMatchObject([{ name: 'two', feature: 'other.hours' }])
})
