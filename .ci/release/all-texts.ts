import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Options } from 'tsup'
import { problemCodes } from '../../config/problem-codes.ts'
import { mark, patternOf } from '../../plugins/dashboard/web/language/spoken.ts'
import { serverTexts } from '../../plugins/dashboard/web/texts/de/server.ts'
import * as rest from '../../plugins/dashboard/web/texts/rest.ts'
import * as first from '../../plugins/dashboard/web/texts.ts'

/** Everything that Linnet says, in English, with `{}` for values, for those who translate it. */
export interface AllTexts {
  /** What visitors' pages say. */
  readonly visitors: readonly string[]
  /** What the dashboard says, with the paths of each text: two paths may be two meanings of a word. */
  readonly dashboard: Readonly<Record<string, readonly string[]>>
  /** What the server says in the dashboard: labels, problems, findings. */
  readonly server: readonly string[]
}

/** Writes all texts to `dist/texts.json`. */
export const listOfTexts: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'linnet-list-of-texts',
  setup({ initialOptions, onEnd }) {
    onEnd(() => {
      const folder = initialOptions.outdir ?? 'dist'
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'texts.json'), `${JSON.stringify(allTexts(), null, 2)}\n`)
    })
  },
}

export function allTexts(): AllTexts {
  const meanings = Object.values(problemCodes).map(([, meaning]) => meaning)
  return {
    visitors: visitorTexts(),
    dashboard: dashboardTexts(),
    server: [...new Set([...Object.keys(serverTexts.sentences), ...meanings])],
  }
}

/** Texts for visitors are written with their translations, as `{ en: 'Continue', … }`. */
function visitorTexts(): readonly string[] {
  const files = ['core', 'plugins'].flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(file => join(folder, file)),
  )
  const sources = files.filter(it => it.endsWith('.ts') && !it.startsWith('plugins/dashboard/'))
  const found = sources.sort().flatMap(file => {
    const code = readFileSync(file, 'utf8').replaceAll(/^ \*.*$/gm, '')
    return [...code.matchAll(/\ben:\s*(?:'((?:[^'\\]|\\.)*)'|`([^`]*)`)/g)].map(
      ([, plain, template = '']) => plain ?? template.replaceAll(/\$\{[^}]*\}/g, '{}'),
    )
  })
  return [...new Set(found)]
}

type Text = string | ((...values: unknown[]) => string)

function dashboardTexts(): AllTexts['dashboard'] {
  const texts: Record<string, string[]> = {}
  for (const [path, text] of [...leaves(first, ''), ...leaves(rest, '')]) {
    for (const said of patternsOf(text)) texts[said] = [...(texts[said] ?? []), path]
  }
  return texts
}

function leaves(parts: object, path: string): readonly (readonly [path: string, text: Text])[] {
  return Object.entries(parts).flatMap(([name, part]) => {
    const at = path === '' ? name : `${path}.${name}`
    return typeof part === 'object' ? leaves(part, at) : [[at, part] as const]
  })
}

/** All that a text says, with `{}` for values: some have a sentence of their own for none or one. */
function patternsOf(text: Text): readonly string[] {
  if (typeof text === 'string') return [text]
  const places = [...Array(text.length).keys()]
  const usual: readonly unknown[] = places.map(mark)
  const said = text(...usual)
  /** What it would say if the value were only put in. */
  const without = (place: number, value: number | string) =>
    said.replaceAll(String(usual[place]), String(value))
  const choices = places.map(place => [
    usual[place],
    ...[0, 1, ''].filter(value => text(...usual.with(place, value)) !== without(place, value)),
  ])
  const all = choices.reduce<unknown[][]>(
    (before, some) => before.flatMap(values => some.map(it => [...values, it])),
    [[]],
  )
  const asTheyAre = 2 ** places.length - 1
  return [...new Set(all.map(values => patternOf(text, values, asTheyAre).text))]
}
