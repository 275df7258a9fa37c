import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findNpm, withoutNpm } from '../../../core/outside/npm.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'linnet-npm-')))
  for (const name of ['node/bin', 'other/bin', 'shims', 'empty']) {
    mkdirSync(join(folder, name), { recursive: true })
  }
})
afterEach(() => rmSync(folder, { recursive: true }))

const node = () => join(folder, 'node/bin/node')
const path = (...names: string[]) => names.map(name => join(folder, name)).join(delimiter)

/** As installers do it: a link to the script. */
function installNpm(home: string): string {
  const script = join(folder, home, 'npm-cli.js')
  writeFileSync(script, '')
  symlinkSync(script, join(folder, home, 'bin/npm'))
  return script
}

describe('the npm that installs plugins', () => {
  it('is the one beside the Node that runs, in that very Node', () => {
    const script = installNpm('node')
    installNpm('other')
    expect(findNpm(node(), path('other/bin'))).toEqual([node(), script])
  })

  it('is else the first on the path, in the Node that runs too', () => {
    const script = installNpm('other')
    expect(findNpm(node(), path('empty', 'other/bin'))).toEqual([node(), script])
  })

  it('may be a program that finds npm, as version managers have it', () => {
    writeFileSync(join(folder, 'shims/npm'), '')
    expect(findNpm(node(), path('shims'))).toEqual([join(folder, 'shims/npm')])
  })

  it('may be missing', () => {
    expect(findNpm(node(), path('empty'))).toBeUndefined()
    expect(findNpm(node(), '')).toBeUndefined()
  })
})

it('what npm said is in no refusal of the API', () => {
  const said =
    'npm failed (EUSAGE).\nnpm: lockfileVersion is not 3\nnpm:     at of (arborist.js:3)\n'
  expect(withoutNpm(said)).toBe(
    'npm failed (EUSAGE). On the server, linnet plugins shows what npm said.',
  )
  expect(withoutNpm('This is for API 2.\nThat is, too.\n')).toBe(
    'This is for API 2.\nThat is, too.',
  )
})
