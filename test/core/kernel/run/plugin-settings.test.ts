import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readPluginSettings } from '../../../../core/kernel/run/plugin-settings.ts'
import {
  address,
  date,
  definePlugin,
  list,
  number,
  optional,
  secret,
  text,
  z,
} from '../../../../core/plugin.ts'

const plugin = definePlugin({
  feature: 'a.scan',
  about: 'A plugin for a test.',
  settings: {
    most: number({ label: 'Most', default: 3, max: 10 }),
    hosts: list({ label: 'Hosts', default: [] }),
    since: date({ label: 'Since', default: '2026-01-01T00:00:00Z' }),
    report: optional(address({ label: 'Address of reports' })),
    key: secret({ label: 'Key', env: 'A_SCAN_KEY' }),
    service: secret({
      label: 'Service',
      env: 'A_SCAN_URL',
      schema: z.string().startsWith('https://', 'enter a URL that begins with https://.'),
    }),
  },
})

const fail = () => {
  throw new Error('boom')
}

const read = (stored: object = {}, env: Record<string, string> = {}) =>
  readPluginSettings(plugin, { 'a.scan': { ...stored } }, env)

describe('the settings of a plugin', () => {
  it('are what is set, else the defaults, as hooks see them', () => {
    expect(read({ most: 7, hosts: ['example.org'] })).toEqual({
      values: {
        most: 7,
        hosts: ['example.org'],
        since: new Date('2026-01-01T00:00:00Z'),
        report: undefined,
        key: undefined,
        service: undefined,
      },
      mistakes: [],
      leftovers: [],
    })
    expect(readPluginSettings(plugin, {}, {}).values).toMatchObject({ most: 3, hosts: [] })
  })

  it('that are optional may be left empty, and are checked like others', () => {
    expect(read({ report: 'https://example.org' }).values.report).toBe('https://example.org/')
    expect(read({ report: '' })).toMatchObject({
      mistakes: [expect.stringMatching(/^The setting report of a\.scan is wrong: /)],
    })
  })

  it('that are secret come from the environment alone', () => {
    expect(read({}, { A_SCAN_KEY: 'sesame' }).values.key).toBe('sesame')
    expect(read({ key: 'sesame' })).toMatchObject({
      values: { key: undefined },
      mistakes: [
        'The setting key of a.scan can only be set in the environment: ' +
          'remove it from settings.json, and set A_SCAN_KEY.',
      ],
    })
  })

  it('that are secret and empty are not set', () => {
    const { values, mistakes } = read({}, { A_SCAN_KEY: '', A_SCAN_URL: '' })
    expect([values.key, values.service, mistakes]).toEqual([undefined, undefined, []])
  })

  it('that are secret and in a file that is not there are a mistake, which names the variable', () => {
    const { values, mistakes } = read({}, { A_SCAN_KEY_FILE: '/not/there' })
    expect(values.key).toBeUndefined()
    expect(mistakes).toEqual([
      expect.stringMatching(/^A_SCAN_KEY_FILE cannot be read: ENOENT.* Name a file that contains/),
    ])
    const both = read({}, { A_SCAN_KEY: 'sesame', A_SCAN_KEY_FILE: '/not/there' })
    expect(both.mistakes).toEqual([
      'A_SCAN_KEY and A_SCAN_KEY_FILE are both set: unset one of them.',
    ])
  })

  it('that are secret may be in a file, whose last line end does not count', () => {
    const folder = mkdtempSync(join(tmpdir(), 'linnet-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'key')
    writeFileSync(file, 'sesame\n')
    expect(read({}, { A_SCAN_KEY_FILE: file }).values.key).toBe('sesame')
  })

  it.each([
    ['its schema throws', { schema: z.string().refine(fail) }, 'its check failed, with: boom.'],
    [
      'its schema is asynchronous',
      { schema: z.string().refine(async () => true) },
      'its check failed, because it is asynchronous.',
    ],
    ['its stored form cannot be opened', { open: fail }, 'its check failed, with: boom.'],
  ])('are a mistake when %s', (_, made, problem) => {
    const tone = { ...text({ label: 'Tone', default: 'low' }), ...made }
    const faulty = definePlugin({ ...plugin, settings: { tone } })
    const { values, mistakes } = readPluginSettings(faulty, { 'a.scan': { tone: 'high' } }, {})
    expect(values).toEqual({ tone: undefined })
    expect(mistakes).toEqual([`The setting tone of a.scan is wrong: ${problem}`])
  })

  it('tell all that is wrong at once, by name', () => {
    const env = { A_SCAN_URL: 'http://sesame.example/' }
    const { mistakes, leftovers } = read({ most: 11, hosts: 'example.org', colour: 'red' }, env)
    expect(mistakes).toHaveLength(3)
    expect(mistakes).toContain('A_SCAN_URL is invalid: enter a URL that begins with https://.')
    expect(leftovers).toEqual(['colour'])
    expect(mistakes.join('\n')).toMatch(/The setting most of a\.scan is wrong: /)
    expect(mistakes.join('\n')).toMatch(/The setting hosts of a\.scan is wrong: /)
  })
})
