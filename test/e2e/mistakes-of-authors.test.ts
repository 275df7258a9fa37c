import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { isNight, itAtNight } from '../at-night.ts'
import { createProject } from './authors-project.ts'

/** Parts of a plugin, each with one mistake, and what the first line of its error says. */
const mistakes: Readonly<Record<string, readonly [part: string, says: RegExp]>> = {
  'a hook is misspelt': ['guards: () => undefined', /'guards' does not exist .* write 'guard'\?$/],
  'a guard answers a boolean': [
    'guard: () => () => false',
    /'\(\) => \(\) => boolean' is not .* => Later<Guard \| undefined>'\.$/,
  ],
  'a guard that reads a field answers a status': [
    "fields: { mood: text({ label: 'Mood' }) }, guard: ({ mood }) => () => mood && { status: 403 }",
    /status: number.* is not .* => Later<Guard \| undefined>'\.$/,
  ],
  'a field is a schema': [
    'fields: { mood: z.string() }',
    /'ZodString' is missing .* from type 'Field<.*: label, control/,
  ],
  'an option of a field is of another type': [
    "fields: { mood: text({ label: 'Mood', max: '20' }) }",
    /Type 'string' is not assignable to type 'number'\.$/,
  ],
  'a member of the visit is misspelt': [
    'guard: () => ({ languages }) => undefined',
    /'languages' does not exist on type 'Visit'/,
  ],
  'a setting is misspelt': [
    "settings: { channel: text({ label: 'Channel', default: 'x' }) }, setup: ({ settings }) => settings.chanel",
    /'chanel' does not exist on type 'Settings<.* you mean 'channel'\?$/,
  ],
  'an endpoint gives another member than its answer': [
    `${endpointWith("() => ({ moods: ['calm'] })")}`,
    /'\{ moods: string\[\]; \}' is not .*\{ data: string\[\]; \}/,
  ],
  'an async endpoint gives another type than its answer': [
    `${endpointWith('async () => { return { data: [1] } }')}`,
    /\{ data: number\[\]; \}.* is not .*\{ data: string\[\]; \}/,
  ],
  'the kinds of events are no list': [
    "events: { kinds: 'link', handle: () => undefined }",
    /Type 'string' is not assignable to type 'readonly EventKind\[\]'\.$/,
  ],
}

function endpointWith(handle: string): string {
  const rest =
    "summary: 'List moods', scope: 'links:read', answer: z.object({ data: z.array(z.string()) })"
  return `endpoints: { 'GET /moods': endpoint({ ${rest}, handle: ${handle} }) }`
}

/** Compiling it takes seconds, so only the night has one. */
const project = isNight ? createProject('mistakes') : ''
afterAll(() => isNight && rmSync(join(project, '..'), { recursive: true }))

/** The first lines of the errors in each file, with the compiler that authors have. */
const errors = new Map<string, string[]>()

beforeAll(() => {
  if (!isNight) return
  Object.values(mistakes).forEach(([part], index) => {
    const source = [
      "import { definePlugin, endpoint, text, z } from 'linnet/plugin'",
      'void [endpoint, text, z]',
      'export default definePlugin({',
      "  feature: 'acme.moods', about: 'Keep moods.',",
      `  ${part},`,
      '})\n',
    ]
    writeFileSync(join(project, `src/mistake-${index}.ts`), source.join('\n'))
  })
  const tsc = join(project, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '--noEmit', '--pretty', 'false'], {
    cwd: project,
    encoding: 'utf8',
  })
  for (const [line, file = ''] of stdout.matchAll(/^src\/(\S+)\(.*$/gm)) {
    errors.set(file, [...(errors.get(file) ?? []), line])
  }
})

describe('the compiler names the mistake in the first line where', () => {
  itAtNight.each(Object.keys(mistakes).map((name, index) => [name, index] as const))(
    '%s',
    (name, index) => {
      const [, says] = mistakes[name] ?? []
      expect(errors.get(`mistake-${index}.ts`)).toEqual([expect.stringMatching(says ?? /$^/)])
    },
  )
})
