import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const read = (path: string) => readFileSync(resolve(import.meta.dirname, '..', path), 'utf8')

/** The members of an interface, by the indentation that the formatter makes. */
function membersOf(path: string, name: string): readonly string[] {
  const [, body = ''] =
    new RegExp(`export interface ${name}\\b[^]*?\\{\n([^]*?)\n\\}\n`).exec(read(path)) ?? []
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[(:]/gm)].map(([, member = '']) => member)
}

it.each([
  ['`context.unstable`', 'core/plugin/unstable.ts', 'Unstable'],
  ['`context.unstable.links`', 'core/plugin/unstable.ts', 'UnstableLinks'],
  ['`unstable` of a dimension', 'core/plugin/dimension.ts', 'UnstableDimension'],
  ['`unstable` of an endpoint', 'core/plugin/endpoint.ts', 'UnstableEndpoint'],
  ['`unstable` of a collection', 'core/plugin/collection/collection.ts', 'UnstableCollection'],
  ["a plugin's `unstable`", 'core/plugin/parts/unstable-parts.ts', 'UnstableParts'],
])('every unstable part of %s is named where authors read what may change', (of, path, name) => {
  const row =
    read('docs/plugins/publishing.md')
      .split('\n')
      .find(it => it.startsWith(`| ${of} |`)) ?? ''
  const named = [...row.slice(of.length + 2).matchAll(/`(\w+)`/g)].map(([, part = '']) => part)
  expect(named).toEqual([...membersOf(path, name)].sort())
  expect(named.length).toBeGreaterThan(0)
})
