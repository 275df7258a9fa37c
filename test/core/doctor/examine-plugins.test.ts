import { afterEach, expect, it } from 'vitest'
import { definePlugin, type PluginFinding } from '../../../core/plugin.ts'
import { boot, type Harness } from '../../harness.ts'

let linnet: Harness
afterEach(() => linnet.stop())

const keyEnds: PluginFinding = {
  status: 'warning',
  says: 'The key ends tomorrow.',
  remedy: 'Set another one.',
}

/** What the doctor says of the plugin, whatever else it finds. */
async function findingsOf(examine: () => unknown) {
  const plugin = definePlugin({
    feature: 'acme.moods',
    about: 'Has moods.',
    unstable: { examine: examine as () => readonly PluginFinding[] },
  })
  const quiet = definePlugin({
    feature: 'acme.quiet',
    about: 'Finds nothing.',
    unstable: { examine: () => [] },
  })
  linnet = await boot([plugin, quiet])
  const { status, body } = await linnet.api('GET', '/admin/doctor')
  expect(status).toBe(200)
  return body.data.filter(({ name }: { name: string }) => name.startsWith('acme.'))
}

it('says what plugins find, by their names', async () => {
  expect(await findingsOf(async () => [keyEnds, { ...keyEnds, status: 'problem' }])).toEqual([
    { name: 'acme.moods', ...keyEnds },
    { name: 'acme.moods', ...keyEnds, status: 'problem' },
  ])
})

it.each([
  ['throws', () => Promise.reject(new Error('boom'))],
  ['finds something that is well', () => [{ ...keyEnds, status: 'ok' }]],
  ['finds something without a remedy', () => [{ status: 'problem', says: 'It is broken.' }]],
  ['returns nothing', () => undefined],
  ['takes another name', () => [{ ...keyEnds, name: 'proxies' }]],
])('says so if a plugin %s', async (_, examine) => {
  expect(await findingsOf(examine)).toEqual([
    {
      ...{ name: 'acme.moods', status: 'warning' },
      says: 'This plugin could not say whether something is wrong.',
      remedy: 'See the log of the server; docs/logs.md explains its messages.',
    },
  ])
})
