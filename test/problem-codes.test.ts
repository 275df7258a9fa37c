import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** What runs in browsers, and what a new plugin begins with. */
const answersNobody = /^(dashboard\/web\/|cli\/plugins\/template\.ts$)/

/** The sources that answer requests, without their comments: those show codes that nobody says. */
function sources(): readonly string[] {
  return ['core', 'plugins'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(path => path.endsWith('.ts') && !answersNobody.test(path))
      .map(path => readFileSync(join(root, folder, path), 'utf8'))
      .map(source => source.replace(/\/\*\*[\s\S]*?\*\//g, '')),
  )
}

it('the table of problem codes has all that are said, and no others', () => {
  const said = sources().flatMap(source =>
    [...source.matchAll(/\b(?:refuse|barOf)\(\s*'(\w+)'/g)].map(([, code = '']) => code),
  )
  const page = readFileSync(join(root, 'docs/api.md'), 'utf8')
  const told = [...page.matchAll(/^\| [45]\d\d \| `(\w+)` \| \S.+ \|$/gm)].map(([, code]) => code)
  expect(told.length).toBeGreaterThan(50)
  expect([...told].sort()).toEqual([...new Set(said)].sort())
})
