import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { firstOf, itAtNight } from '../at-night.ts'
import { fixture, newFolder, offline } from './plugins-folder.ts'
import { linnet, temporaryFolder } from './program.ts'
import { serve } from './server.ts'

describe('an index of plugins', () => {
  const hours = {
    name: 'linnet-plugin-hours',
    about: 'Open links in business hours only.',
    license: 'MIT',
    released: '2026-11-20',
    reads: ['place'],
    versions: [
      { version: '1.0.0', api: '^1' },
      { version: '1.1.0', api: '^1', linnet: '>=0.1.0' },
      { version: '2.0.0', api: '^2' },
    ],
  }
  const verified = { by: 'Acme', versions: '<=1.1.0', provenance: 'https://example.org/hours' }

  const moods = {
    ...hours,
    name: 'linnet-plugin-moods',
    about: 'Moods.',
    versions: [hours.versions[2]],
  }

  /** Serves what `plugins` is when it is asked for. */
  async function indexOf(index: { plugins: unknown }): Promise<string> {
    const server = createServer((_, res) => res.end(JSON.stringify(index)))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/plugins.json`
  }

  it('is searched, and says which version this Linnet can run, or why none', async () => {
    // Each version would be compared with each of these ranges.
    const endless = { ...hours, withdrawn: Array(130_000).fill({ versions: '>9', why: 'x' }) }
    const long = Array.from({ length: 2_000 }, (_, index) => `1.0.${index}`).join('||')
    const withLong = [
      { ...hours, withdrawn: [{ versions: long, why: 'x' }] },
      { ...hours, versions: [{ version: '1.0.0', api: '^1', node: '9||'.repeat(30) }] },
    ]
    const unreadable = [endless, ...withLong, { ...hours, about: '\u001b[2J' }, { name: '../x' }, 7]
    const LINNET_PLUGIN_INDEX = await indexOf({ plugins: [hours, moods, ...unreadable] })
    const { plugins } = newFolder({ LINNET_PLUGIN_INDEX })
    expect(await plugins('search', 'Business', 'hours')).toEqual({
      code: 0,
      stdout:
        'linnet-plugin-hours  Open links in business hours only.\n' +
        '  MIT · released 2026-11-20 · reads place\n' +
        '  linnet plugins add linnet-plugin-hours@1.1.0\n\n',
      stderr: 'Entries of the index that cannot be read, and are left out: 6\n',
    })
    expect((await plugins('search', 'moods')).stdout).toMatch(
      /Cannot be used: it is for plugin API \^2, but/,
    )
    expect((await plugins('search', 'nothing')).stdout).toMatch(/^No plugin in the index/)
    expect(JSON.parse((await plugins('search', '--json')).stdout)).toMatchObject([
      { name: hours.name, version: '1.1.0' },
      { name: moods.name, version: null },
    ])
  })

  itAtNight('says who verified the version that it offers, and nothing of others', async () => {
    const later = { ...verified, versions: '>=2' }
    const wrong = { ...verified, provenance: 'javascript:alert(1)' }
    const listed = [
      { ...hours, verified },
      { ...hours, name: 'linnet-plugin-later', verified: later },
      { ...hours, name: 'linnet-plugin-wrong', verified: wrong },
    ]
    const LINNET_PLUGIN_INDEX = await indexOf({ plugins: listed })
    const { plugins } = newFolder({ LINNET_PLUGIN_INDEX })
    const { stdout, stderr } = await plugins('search')
    expect(stdout.match(/Verified by .*/g)).toEqual(['Verified by Acme: https://example.org/hours'])
    expect(stdout).toContain('linnet-plugin-later@1.1.0')
    expect(stderr).toContain('left out: 1')
    const found = JSON.parse((await plugins('search', '--json')).stdout)
    const { by, provenance } = verified
    expect(found.map((it: { verified: unknown }) => it.verified)).toEqual([
      { by, provenance },
      null,
    ])
  })

  it.each(
    firstOf<[string | undefined, RegExp]>(1, [
      [undefined, /^No index of plugins is set: LINNET_PLUGIN_INDEX has its URL\./],
      ['nonsense', /LINNET_PLUGIN_INDEX/],
      [
        'http://127.0.0.1:9/',
        /^The index of plugins at http:\/\/127\.0\.0\.1:9\/ cannot be read: /,
      ],
      [
        'https://ada:sesame@example.org/',
        /^LINNET_PLUGIN_INDEX (?!.*sesame).* without a name and a password\./,
      ],
    ]),
  )('cannot be searched at %s, and says why', async (LINNET_PLUGIN_INDEX, why) => {
    const { plugins } = newFolder(LINNET_PLUGIN_INDEX === undefined ? {} : { LINNET_PLUGIN_INDEX })
    expect(await plugins('search', 'hours')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(why),
    })
  })

  itAtNight(
    'is what admins read, and has health name an installed version that was withdrawn',
    async () => {
      const index: { plugins: unknown[] } = { plugins: [hours] }
      const env = { LINNET_PLUGIN_INDEX: await indexOf(index) }
      const dataDir = temporaryFolder()
      await linnet(['plugins', 'add', fixture], { env: { ...offline(dataDir), ...env } })
      const server = await serve({ dataDir, env })
      const read = async () => (await server.api('GET', '/admin/plugins/index')).body
      expect(await read()).toMatchObject({
        data: [{ name: hours.name, version: '1.1.0', installed: '1.0.0', repository: null }],
        unreadable: 0,
      })
      const health = async () => (await server.get('/health/ready')).body
      expect((await health()).checks.plugins.status).toBe('ok')
      const withdrawn = [{ versions: '<1.1', why: 'It let everybody in.' }]
      index.plugins = [{ ...hours, withdrawn }]
      await read()
      expect((await health()).checks.plugins).toEqual({
        status: 'degraded',
        note: 'linnet-plugin-hours 1.0.0 was withdrawn: It let everybody in.',
      })
      expect((await server.api('GET', '/admin/plugins/packages')).body).toMatchObject({
        index: env.LINNET_PLUGIN_INDEX,
      })
      index.plugins = [moods, 'x'.repeat(5e6)]
      expect(await read()).toMatchObject({
        status: 409,
        code: 'plugin_index_unusable',
        detail: expect.stringMatching(/more than 4 MiB/),
      })
    },
  )
})
