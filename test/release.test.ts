import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

it('lists in a release what runs, and Node, but not what builds or tests it', () => {
  const program = `
    import { listParts } from './.ci/release/release.mjs'
    process.stdout.write(JSON.stringify(listParts('24.21.0')))`
  const args = ['--input-type=module', '--eval', program]
  const list = execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 26 })
  const { components } = JSON.parse(list) as {
    readonly components: readonly { readonly name: string; readonly version: string }[]
  }
  const names = components.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['better-sqlite3', 'pg', 'polka', 'react']))
  expect(names).not.toEqual(expect.arrayContaining(['vitest']))
  expect(names).not.toEqual(expect.arrayContaining(['vite']))
  expect(components).toContainEqual(expect.objectContaining({ name: 'node', version: '24.21.0' }))
})

/** The files of a clone that name the version, in a folder of their own; `name` names one there. */
function clone() {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const file of ['CHANGELOG.md', 'package.json', 'package-lock.json', 'Dockerfile']) {
    copyFileSync(file, join(folder, file))
  }
  mkdirSync(join(folder, '.ci'))
  cpSync('.ci/release', join(folder, '.ci/release'), { recursive: true })
  const read = (file: string) => readFileSync(resolve(folder, file), 'utf8')
  const name = (version: string) =>
    spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { nameVersion, notesOf } from './.ci/release/name-version.mjs'
         nameVersion('${version}', '2026-12-01')
         process.stdout.write(notesOf('${version}'))`,
      ],
      { cwd: folder, encoding: 'utf8' },
    )
  return { read, name }
}

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

it('names the version of a release everywhere, dates its notes, and shows them', () => {
  const { read, name } = clone()
  const { stdout, status } = name(version)
  expect(status).toBe(0)
  expect(read('CHANGELOG.md')).toContain(`\n## ${version} (2026-12-01)\n`)
  expect(stdout).toMatch(/^The first version\./)
  expect(stdout).not.toContain('\n## ')
  expect(JSON.parse(read('package.json')).version).toBe(version)
  expect(JSON.parse(read('package-lock.json')).packages[''].version).toBe(version)
  expect(read('Dockerfile')).toContain(`\nARG VERSION=${version}\n`)
})

it.each([
  ['9.9.9', 'CHANGELOG.md has no heading "## 9.9.9 (unreleased)"'],
  ['next', 'next is no version'],
])('names no version %s, and changes nothing', (wrong, why) => {
  const { read, name } = clone()
  const before = [read('CHANGELOG.md'), read('package.json')]
  expect(name(wrong).stderr).toContain(why)
  expect([read('CHANGELOG.md'), read('package.json')]).toEqual(before)
})
