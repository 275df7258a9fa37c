import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { conformance } from 'linnet/conformance'
import { boot } from 'linnet/harness'
import { definePlugin, type FetchOptions, isRefusal, type Notice } from 'linnet/plugin'
import plugin from './notifier.js'

const env = { NOTIFIER_WEBHOOK: 'https://chat.example.org/hooks/secret' }

/** A channel that answers with a status, and the messages sent to it. */
function channel(status: number) {
  const said: { readonly url: string; readonly options: FetchOptions | undefined }[] = []
  const fetch = async (url: string, options?: FetchOptions) => {
    said.push({ url, options })
    return { status, url, headers: new Headers(), body: new Uint8Array(), isWhole: true }
  }
  return { said, fetch }
}

it('tells the channel of a new link', async t => {
  const { said, fetch } = channel(200)
  const linnet = await boot(plugin, { env, fetch })
  t.after(() => linnet.stop())
  const { shortUrl } = await linnet.create()
  await linnet.settled()
  const [{ url, options } = { url: '', options: undefined }] = said
  assert.equal(url, env.NOTIFIER_WEBHOOK)
  assert.equal(options?.body, `{"text":"${shortUrl} leads to https://example.com/"}`)
})

it('tells it once a day that a link is opened', async t => {
  const { said, fetch } = channel(200)
  const linnet = await boot([plugin, 'analytics.visitsTracking'], { env, fetch })
  t.after(() => linnet.stop())
  const link = await linnet.create()
  for (let times = 0; times < 2; times += 1) {
    await linnet.visit(link)
    await linnet.counts(link)
    await linnet.settled()
  }
  assert.deepEqual(
    said.slice(1).map(({ options }) => options?.body),
    [`{"text":"Today ${link.shortUrl} is opened"}`],
  )
})

it('says no more than thirty lines a minute', async t => {
  const { said, fetch } = channel(200)
  const linnet = await boot(plugin, { env, fetch })
  t.after(() => linnet.stop())
  for (let made = 0; made < 31; made += 1) await linnet.create()
  await linnet.settled()
  assert.equal(said.length, 30)
})

it('makes the link all the same when the channel refuses, and the log says so', async t => {
  const linnet = await boot(plugin, { env, fetch: channel(404).fetch })
  t.after(() => linnet.stop())
  await linnet.create()
  await linnet.settled()
  assert.deepEqual(linnet.log, ['custom.notifier on.created failed: The channel answers 404'])
})

/** What a plugin tells, and what became of it. */
const notice = {
  title: 'A link is blocked',
  text: 'It leads to malware.',
  level: 'warning',
} as const
const teller = (to: Notice['to']) =>
  definePlugin({
    feature: 'custom.teller',
    about: 'Tell people of a blocked link.',
    jobs: {
      tell: {
        every: '0 0 1 1 *',
        async run({ unstable: { notices }, log }) {
          const taken = await notices.send({ ...notice, to, url: 'https://example.org/more' })
          log.info(isRefusal(taken) ? taken.detail : `${taken} took it`)
        },
      },
    },
  })

it('passes on what another plugin tells admins', async t => {
  const { said, fetch } = channel(200)
  const linnet = await boot([plugin, teller('admins')], { env, fetch })
  t.after(() => linnet.stop())
  await linnet.run('custom.teller.tell')
  const text = 'Warning: A link is blocked\nIt leads to malware.\nhttps://example.org/more'
  assert.deepEqual(
    said.map(({ options }) => options?.body),
    [JSON.stringify({ text })],
  )
})

it('keeps what is for one account from the channel', async t => {
  const { said, fetch } = channel(200)
  const linnet = await boot([plugin, teller({ accountId: 1 })], { env, fetch })
  t.after(() => linnet.stop())
  await linnet.run('custom.teller.tell')
  assert.deepEqual(said, [])
})

it('does not say that a notice was taken when the channel refuses it', async t => {
  const linnet = await boot([plugin, teller('admins')], { env, fetch: channel(404).fetch })
  t.after(() => linnet.stop())
  await linnet.run('custom.teller.tell')
  assert.deepEqual(linnet.log, [
    'custom.notifier notice failed: The channel answers 404',
    'No running plugin took the notice. If one failed, the log says why.',
  ])
})

it('asks nobody without an address, and refuses what is none', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  await linnet.create()
  await linnet.settled()
  assert.deepEqual(linnet.log, [])
  await assert.rejects(boot(plugin, { env: { NOTIFIER_WEBHOOK: 'chat' } }), /NOTIFIER_WEBHOOK/)
})

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
