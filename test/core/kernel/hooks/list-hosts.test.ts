import { inject } from 'light-my-request'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { type CustomHost, definePlugin, endpoint, text, z } from '../../../../core/plugin.ts'
import { boot, type Harness } from '../../../harness.ts'

let linnet: Harness
afterEach(() => linnet.stop())

let answer: (accountId: number) => readonly CustomHost[] = () => []

/** A plugin whose hosts a test decides. */
const hosting = definePlugin({
  feature: 'a.hosting',
  about: 'Answer for hosts in a test.',
  fields: { domain: text({ label: 'Domain', when: 'create', stored: false }) },
  prepare: ({ fields: { domain } }) => (domain ? { domain } : undefined),
  unstable: { hosts: () => answer(linnet.account.rowId) },
  endpoints: {
    'POST /hosts': endpoint({
      summary: 'Change nothing but what the hosts are asked about',
      scope: 'links:write',
      answer: z.strictObject({}),
      handle: () => ({}),
    }),
  },
})

const hostsNamed = (...names: readonly string[]) => {
  answer = accountId =>
    names.map(name => ({ name, accountId, rootUrl: 'https://example.com/home', notFoundUrl: null }))
}
const failing = () => {
  answer = () => {
    throw new Error('no idea')
  }
}

const statusOn = async (host: string, path = '') =>
  (await linnet.visit(path, { headers: { host } })).status

async function start() {
  hostsNamed()
  linnet = await boot(hosting)
}

it('a plugin is asked for its hosts again after a request that changed something', async () => {
  await start()
  hostsNamed('a.example')
  expect(await statusOn('a.example')).toBe(404)
  expect((await linnet.api('POST', '/hosts')).status).toBe(200)
  expect(await statusOn('a.example')).toBe(302)
})

it('the hosts that there were stay when the plugin cannot say, and that is not hidden', async () => {
  await start()
  hostsNamed('a.example')
  await linnet.api('POST', '/hosts')
  failing()
  expect((await linnet.api('POST', '/hosts')).status).toBe(500)
  expect(await statusOn('a.example')).toBe(302)
  expect(linnet.log.join()).toContain('a.hosting hosts failed: no idea')
})

it.each([
  'A.example',
  'a.example.',
  'a.example:8080',
  'https://a.example',
  'bücher.example',
  '127.0.0.1',
  'localhost',
  '[::1]',
  '',
])(
  'a host that no browser asks for, such as "%s", is a failure of the plugin that names it',
  async name => {
    await start()
    hostsNamed(name)
    expect((await linnet.api('POST', '/hosts')).status).toBe(500)
    expect(linnet.log.join()).toContain(
      'a.hosting hosts failed: it returned an invalid value: 0.name: must be a host in lower case and punycode',
    )
  },
)

it('health and the log name the plugin whose host is one of another', async () => {
  hostsNamed('a.example')
  const other = definePlugin({
    feature: 'b.hosting',
    about: 'Names a host of another.',
    unstable: {
      hosts: () => [{ name: 'a.example', accountId: 77, rootUrl: null, notFoundUrl: null }],
    },
  })
  linnet = await boot([hosting, other])
  const { checks } = (
    await inject(linnet.app.server.handle, { method: 'GET', url: '/health/ready' })
  ).json()
  expect(checks.plugins).toEqual({
    status: 'degraded',
    note: 'b.hosting names a.example, which is a host of a.hosting: its links there are not followed.',
  })
  expect(linnet.log.join()).toContain(
    'b.hosting names a.example as a host of its own, but it is one of a.hosting, and stays one',
  )
})

it('Linnet starts without hosts that the plugin cannot name, and keeps their links shut', async () => {
  await start()
  hostsNamed('a.example')
  await linnet.api('POST', '/hosts')
  const link = await linnet.create({ domain: 'a.example' })
  const plain = await linnet.create()
  expect(await statusOn('a.example', link.shortCode)).toBe(302)
  failing()
  linnet = await linnet.restart([hosting])
  expect(await statusOn('a.example', link.shortCode)).toBe(503)
  expect(await statusOn('a.example', plain.shortCode)).toBe(503)
  expect(await statusOn('go.example.org', plain.shortCode)).toBe(302)
  hostsNamed('a.example')
  await linnet.api('POST', '/hosts')
  expect(await statusOn('a.example', link.shortCode)).toBe(302)
})

it('a plugin that could not name its hosts at a start is asked again, also after many failures, and health tells until it could', async () => {
  await start()
  hostsNamed('a.example')
  await linnet.api('POST', '/hosts')
  const link = await linnet.create({ domain: 'a.example' })
  async function plugins() {
    const answer = await inject(linnet.app.server.handle, { method: 'GET', url: '/health/ready' })
    return answer.json().checks.plugins
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  failing()
  linnet = await linnet.restart([hosting])
  expect(await plugins()).toEqual({
    status: 'degraded',
    note:
      'a.hosting could not list its hosts and is asked again every few seconds. Links on those of them that were not known before are ' +
      'closed. a.hosting hosts failed once.',
  })
  async function pass(ms: number, isOver: () => Promise<boolean>): Promise<void> {
    for (let left = ms; left > 0 && !(await isOver()); left -= 1_000) {
      vi.advanceTimersByTime(1_000)
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
    }
  }
  await pass(200_000, async () => (await plugins()).note.includes('only tried every 30 s'))
  expect((await plugins()).note).toContain('only tried every 30 s')
  hostsNamed('a.example')
  await pass(36_000, async () => (await plugins()).status === 'ok')
  expect(await plugins()).toEqual({ status: 'ok', note: null })
  expect(await statusOn('a.example', link.shortCode)).toBe(302)
})

it('a plugin that cannot name its hosts closes no host of another, at a start or later', async () => {
  await start()
  hostsNamed('a.example')
  await linnet.api('POST', '/hosts')
  const link = await linnet.create({ domain: 'a.example' })
  const broken = definePlugin({
    feature: 'b.broken',
    about: 'Answer for hosts wrongly in a test.',
    unstable: {
      hosts: () => {
        throw new Error('away')
      },
    },
  })
  linnet = await linnet.restart([broken, hosting])
  expect(await statusOn('a.example', link.shortCode)).toBe(302)
  hostsNamed('a.example', 'b.example')
  expect((await linnet.api('POST', '/hosts')).status).toBe(200)
  expect(await statusOn('b.example')).toBe(302)
  expect(linnet.log.join()).toContain('b.broken hosts failed: away')
})

it('an address of a host that is no web address leads nowhere', async () => {
  await start()
  answer = accountId => [
    { name: 'a.example', accountId, rootUrl: 'javascript:alert(1)', notFoundUrl: 'a\r\nX: y' },
  ]
  await linnet.api('POST', '/hosts')
  expect([await statusOn('a.example'), await statusOn('a.example', 'x')]).toEqual([404, 404])
})

it('a plugin may have more hosts than a call takes arguments', async () => {
  await start()
  hostsNamed('a.example')
  const once = answer
  answer = accountId => Array.from({ length: 500_000 }, () => once(accountId)).flat()
  expect((await linnet.api('POST', '/hosts')).status).toBe(200)
  expect(await statusOn('a.example')).toBe(302)
  expect(linnet.log.join()).not.toContain('Maximum call stack')
})
