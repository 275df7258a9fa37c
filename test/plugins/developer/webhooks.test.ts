import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  definePlugin,
  type Event,
  FetchFailed,
  type FetchOptions,
  publicId,
} from '../../../core/plugin.ts'
import apiKeys from '../../../plugins/developer/api-keys.ts'
import webhooks from '../../../plugins/developer/webhooks.ts'
import { boot, type Harness, type HarnessOptions } from '../../harness.ts'
import { otherAccount } from '../organization/other-account.ts'

interface Sent {
  readonly id: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  readonly body: any
  readonly options: FetchOptions
}

interface Row {
  readonly state: string
  readonly due_at: number
  readonly claimed_at: number | null
  readonly webhook_id: number
}

const receiver = 'https://receiver.example/hook'
const feature = 'developer.webhooks'
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

let linnet: Harness
let sent: Sent[]
let told: Event[]
/** What the receiver answers: a status, or a failure. */
let answer: (sent: Sent) => number | Error | Promise<number>
let answerHeaders: Record<string, string>
let clock: string

beforeEach(() => {
  sent = []
  told = []
  answer = () => 204
  answerHeaders = {}
})
afterEach(() => linnet.stop())

const listener = definePlugin({
  feature: 'a.listener',
  about: 'Hear of webhooks in a test.',
  events: { kinds: ['webhook'], handle: event => void told.push(event) },
})

async function start(more: Parameters<typeof boot>[0] = [], options: HarnessOptions = {}) {
  clock = '2026-11-20T12:00:00Z'
  linnet = await boot([webhooks, ...[more].flat()], {
    at: clock,
    async fetch(url, options = {}) {
      const { headers = {}, body } = options
      const id = headers['webhook-id'] ?? ''
      const one = { id, url, headers, body: JSON.parse(String(body)), options }
      sent.push(one)
      const status = await answer(one)
      if (status instanceof Error) throw status
      return {
        ...{ status, url, isWhole: true },
        headers: new Headers(answerHeaders),
        body: Buffer.from(status === 204 ? '' : 'Hello\0'),
      }
    },
    ...options,
  })
}

function at(moment: string) {
  clock = new Date(moment).toISOString()
  linnet.at(clock)
}
const later = (ms: number) => at(new Date(Date.parse(clock) + ms).toISOString())
const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000] as const

async function make(body: object = {}, expected = 201) {
  const made = await linnet.api('POST', '/webhooks', { url: receiver, ...body })
  expect(made.status, JSON.stringify(made.body)).toBe(expected)
  return made.body.data ?? made.body
}
const show = async (id: string) => (await linnet.api('GET', `/webhooks/${id}`)).body.data
const types = () => sent.map(({ body }) => body.type)
const ofLinks = () => sent.filter(({ body }) => body.type.startsWith('link.'))

/** Until nothing is being sent, and nothing is due, but of webhooks that are paused. */
async function send() {
  await linnet.settled()
  await linnet.run(`${feature}.send`)
  await vi.waitFor(
    async () => {
      const now = Date.parse(clock)
      const paused = new Set(
        (await rowsOf('')).flatMap(it => (it.paused_until > now || !it.is_on ? it.id : [])),
      )
      const rows = (await rowsOf('_deliveries')) as readonly Row[]
      const due = rows.filter(
        it =>
          it.claimed_at !== null ||
          (it.state === 'waiting' && it.due_at <= now && !paused.has(it.webhook_id)),
      )
      expect(due).toEqual([])
    },
    { timeout: 10_000, interval: 2 },
  )
}

// biome-ignore lint/suspicious/noExplicitAny: tables of a plugin have no types here
const rowsOf = (table: string): Promise<readonly any[]> =>
  linnet.db
    .selectFrom(`developer_webhooks${table}` as never)
    .selectAll()
    .execute()

const deliveries = async (id: string, query = '') =>
  (await linnet.api('GET', `/webhooks/${id}/deliveries?per_page=100${query}`)).body.data
const statesOf = async (id: string) =>
  (await deliveries(id)).map(({ type, state }: Record<string, string>) => `${type} ${state}`)

describe('a webhook', () => {
  it('is told of each change once, in order and signed, with who made it and what was before', async () => {
    await start('organization.tags')
    await linnet.create()
    const { id, secret } = await make()
    const link = await linnet.create({ title: 'Spring' })
    await linnet.api('PATCH', `/links/${link.id}`, { title: 'Summer' })
    await linnet.api('POST', '/tags', { name: 'warm' })
    await linnet.api('DELETE', `/links/${link.id}`)
    await send()
    expect(ofLinks().map(({ body }) => body.type)).toEqual([
      'link.created',
      'link.updated',
      'link.deleted',
    ])
    expect(types()).toContain('tag.created')
    const [, updated] = ofLinks()
    expect(updated?.body).toEqual({
      type: 'link.updated',
      timestamp: '2026-11-20T12:00:00.000Z',
      account: linnet.account.id,
      actor: {
        ...{ kind: 'account', id: linnet.account.id },
        ...{ by: 'session', credential: expect.stringMatching(/^ses_/) },
      },
      data: expect.objectContaining({ id: link.id, title: 'Summer', shortUrl: link.shortUrl }),
      previous: expect.objectContaining({ id: link.id, title: 'Spring' }),
      changed: ['title'],
    })
    // The library compares the time with that of this machine.
    vi.setSystemTime('2026-11-20T12:00:03Z')
    for (const { options, headers } of sent) {
      expect(() => new Webhook(secret).verify(String(options.body), headers)).not.toThrow()
      expect(() => new Webhook(secret).verify(`${options.body} `, headers)).toThrow()
    }
    vi.useRealTimers()
    const [last] = await deliveries(id)
    expect(last).toMatchObject({
      id: ofLinks().at(-1)?.id,
      ...{ webhookId: id, type: 'link.deleted', state: 'delivered', attempts: 1 },
      ...{ status: 204, nextAttemptAt: null, problem: null },
    })
    const whole = await linnet.api('GET', `/webhooks/${id}/deliveries/${last.id}`)
    expect(whole.body.data.body).toBe(ofLinks().at(-1)?.options.body)
  })

  it('is told of what many links go through at once, and of what goes with an account', async () => {
    await start()
    const call = await otherAccount(linnet)
    const own = (await call('POST', '/webhooks', { url: 'https://other.example/' })).body.data
    expect(own.id).toMatch(/^whk_/)
    const { id } = await make({ covers: 'instance', events: ['link.*', 'account.deleted'] })
    const links = Array.from({ length: 30 }, () => ({ originalUrl: 'https://example.com/' }))
    const made = await call('POST', '/links/bulk', { links })
    const ids = made.body.data.map(({ link }: { link: { id: string } }) => link.id)
    await call('PATCH', '/links/bulk', { ids, title: 'Sale' })
    await send()
    const account = (await call('GET', '/profile')).body.data.id
    const gone = await linnet.api('DELETE', `/admin/accounts/${account}`)
    expect(gone.status, JSON.stringify(gone.body)).toBe(204)
    await send()
    const told = sent.filter(({ url }) => url === receiver)
    for (const type of ['link.created', 'link.updated', 'link.deleted']) {
      const those = told.filter(({ body }) => body.type === type)
      expect(new Set(those.map(({ body }) => body.data.id))).toEqual(new Set(ids))
      expect(those).toHaveLength(30)
    }
    expect(types().filter(it => it === 'account.deleted')).toHaveLength(1)
    expect(await statesOf(id)).toHaveLength(91)
    expect(sent.filter(({ url }) => url === 'https://other.example/')).toHaveLength(60)
    // What tells of the account is not kept longer than it takes to send it.
    await linnet.run(`${feature}.tidy`)
    expect(await rowsOf('_messages')).toEqual([])
  })

  it('waits while its account is suspended', async () => {
    await start()
    const call = await otherAccount(linnet)
    await call('POST', '/webhooks', { url: 'https://other.example/', events: ['link.*'] })
    const account = `/admin/accounts/${(await call('GET', '/profile')).body.data.id}`
    answer = () => 500
    await call('POST', '/links', { originalUrl: 'https://example.com/' })
    await send()
    answer = () => 204
    await linnet.api('POST', `${account}/suspend`, {})
    later(hour)
    await linnet.run(`${feature}.send`)
    const tried = sent.length
    await linnet.api('POST', `${account}/release`, {})
    await send()
    expect([tried, types()]).toEqual([1, ['link.created', 'link.created']])
  })

  it('does not say from where a change came, also while the audit log keeps that', async () => {
    await start(['organization.auditLog'])
    const settings = { addresses: 'whole' }
    await linnet.api('PATCH', '/admin/plugins/organization.auditLog', { settings })
    await make()
    await linnet.create()
    await send()
    expect(types()).toEqual(['link.created'])
    const [entry] = (await linnet.api('GET', '/audit-log?kind=link')).body.data
    expect(entry.address).toBe('127.0.0.1')
    const written = [sent, await rowsOf('_deliveries')].map(it => JSON.stringify(it))
    for (const text of written) expect(text).not.toContain('127.0.0.1')
    expect(Object.keys(sent[0]?.body.actor)).toEqual(['kind', 'id', 'by', 'credential'])
  })

  it('hears of what it chose alone', async () => {
    await start(['organization.tags', 'organization.campaigns'])
    await make({ events: ['tag.*', 'campaign.created', 'link.deleted'] })
    const link = await linnet.create()
    const tag = (await linnet.api('POST', '/tags', { name: 'warm' })).body.data
    await linnet.api('PATCH', `/tags/${tag.id}`, { name: 'hot' })
    const campaign = (await linnet.api('POST', '/campaigns', { name: 'Spring' })).body.data
    await linnet.api('PATCH', `/campaigns/${campaign.id}`, { name: 'Summer' })
    await linnet.api('DELETE', `/links/${link.id}`)
    await send()
    expect(types().sort()).toEqual([
      'campaign.created',
      'link.deleted',
      'tag.created',
      'tag.updated',
    ])
  })

  it('costs nothing while there is none', async () => {
    await start()
    const kinds = async () => {
      const rows = await linnet.db.selectFrom('event_listeners').select('kinds').execute()
      return rows.map(it => it.kinds)
    }
    expect(await kinds()).toEqual(['[]'])
    const { id } = await make({ events: ['link.created'] })
    expect(await kinds()).toEqual(['["account","link"]'])
    await linnet.api('PATCH', `/webhooks/${id}`, { events: ['*'] })
    expect(await kinds()).toEqual(['["*","account","link"]'])
    await linnet.api('DELETE', `/webhooks/${id}`)
    expect(await kinds()).toEqual(['[]'])
    await linnet.create()
    await send()
    expect(await rowsOf('_messages')).toEqual([])
  })

  it('goes on after a restart, with the same ids', async () => {
    await start()
    answer = () => 500
    await make()
    await linnet.create()
    await send()
    linnet = await linnet.restart([webhooks])
    answer = () => 200
    later(10 * second)
    await send()
    expect(sent).toHaveLength(2)
    expect(sent[1]?.id).toBe(sent[0]?.id)
  })

  it('gets what a killed server had begun half a minute later, with the same id', async () => {
    await start()
    const { id } = await make({ events: ['link.*'] })
    const hanging: ((status: number) => void)[] = []
    answer = () => new Promise(resolve => hanging.push(resolve))
    const link = await linnet.create()
    await linnet.api('PATCH', `/links/${link.id}`, { title: 'second' })
    await linnet.settled()
    await linnet.run(`${feature}.send`)
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    answer = () => 204
    later(29 * second)
    await linnet.run(`${feature}.send`)
    expect((await deliveries(id, '&state=waiting')).length).toBe(2)
    expect(sent).toHaveLength(1)
    later(second)
    await linnet.run(`${feature}.send`)
    await vi.waitFor(() => expect(sent).toHaveLength(3))
    expect(sent.map(({ body }) => body.data.title)).toEqual([null, null, 'second'])
    expect(sent[1]?.id).toBe(sent[0]?.id)
    // What the first one says of it after all is not heard any more.
    for (const end of hanging) end(500)
    await send()
    expect(new Set(await statesOf(id))).toEqual(
      new Set(['link.created delivered', 'link.updated delivered']),
    )
    expect(await show(id)).toMatchObject({ state: 'working' })
  })

  it('that is being told of something while it stops is told again at once', async () => {
    await start()
    const { id } = await make({ events: ['link.*'] })
    answer = ({ options }) =>
      new Promise((_, fail) => {
        options.signal?.addEventListener('abort', () => fail(new FetchFailed('It was stopped.')))
      })
    await linnet.create()
    await linnet.settled()
    await linnet.run(`${feature}.send`)
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    linnet = await linnet.restart([webhooks])
    answer = () => 204
    await send()
    expect(sent.map(it => it.id)).toEqual([sent[0]?.id, sent[0]?.id])
    expect((await deliveries(id))[0]).toMatchObject({ state: 'delivered', attempts: 1 })
  })

  it('of a plan that does not include it any more gets nothing', async () => {
    await start()
    await make()
    await linnet.db.updateTable('accounts').set({ plan: 'free' }).execute()
    await linnet.create()
    await send()
    const isIncluded = (await linnet.api('POST', '/webhooks', { url: receiver })).status === 201
    expect(isIncluded).toBe(false)
    expect(sent).toEqual([])
  })
})

describe('what fails', () => {
  it('is tried again with growing pauses, and holds up only what is about the same thing', async () => {
    await start()
    const { id } = await make({ events: ['link.*'] })
    const [one, two] = [await linnet.create(), await linnet.create()]
    await send()
    sent = []
    answer = ({ body }) => (body.data.id === one.id ? 500 : 200)
    await linnet.api('PATCH', `/links/${one.id}`, { title: 'first' })
    await linnet.api('PATCH', `/links/${one.id}`, { title: 'second' })
    await linnet.api('PATCH', `/links/${two.id}`, { title: 'other' })
    await send()
    const titles = () => sent.map(({ body }) => body.data.title)
    expect(titles().sort()).toEqual(['first', 'other'])
    const pauses = [5 * second, 5 * minute, 30 * minute, 2 * hour]
    for (const pause of pauses) {
      sent = []
      later(pause * 0.89)
      await send()
      expect(sent).toEqual([])
      later(pause * 0.22)
      await send()
      expect(titles()).toEqual(['first'])
    }
    expect(await show(id)).toMatchObject({
      state: 'failing',
      problem: 'The receiver answered 500.',
    })
    answer = () => 200
    sent = []
    later(6 * hour)
    await send()
    expect(titles()).toEqual(['first', 'second'])
    expect(await show(id)).toMatchObject({ state: 'working', problem: null, failingSince: null })
  })

  it('at new receivers that do not answer leaves room for the webhooks of other accounts', async () => {
    await start('organization.tags')
    const other = await otherAccount(linnet)
    const silent = 'https://silent.example/'
    for (let at = 0; at < 15; at += 1) {
      const made = await other('POST', '/webhooks', { url: `${silent}${at}`, events: ['tag.*'] })
      expect(made.status).toBe(201)
    }
    await make({ events: ['tag.*'] })
    const silence = Promise.withResolvers<number>()
    answer = ({ url }) => (url.startsWith(silent) ? silence.promise : 204)
    for (let at = 0; at < 8; at += 1) await other('POST', '/tags', { name: `their ${at}` })
    await vi.waitFor(() => expect(sent).toHaveLength(12))
    await linnet.api('POST', '/tags', { name: 'ours' })
    await vi.waitFor(() => expect(sent.at(-1)?.body.data.name).toBe('ours'))
    expect(sent).toHaveLength(13)
    silence.resolve(204)
    await send()
    expect(sent).toHaveLength(1 + 15 * 8)
  })

  it('while the clock was a year ahead is sent once it is right again', async () => {
    await start()
    const { id } = await make({ events: ['link.*'] })
    const now = clock
    later(365 * 24 * hour)
    answer = () => 500
    const { id: link } = await linnet.create()
    await send()
    // So many failures pause the webhook, too.
    for (let others = 0; others < 5; others += 1) await linnet.create()
    await send()
    expect((await rowsOf(''))[0].paused_until).toBeGreaterThan(Date.parse(now))
    at(now)
    answer = () => 204
    await linnet.api('PATCH', `/links/${link}`, { title: 'Later' })
    await linnet.run(`${feature}.send`)
    await vi.waitFor(async () => {
      const states = new Set((await deliveries(id)).map((it: { state: string }) => it.state))
      expect([...states]).toEqual(['delivered'])
    })
  })

  it('ten times is given up, and what is behind it is sent', async () => {
    await start()
    const { id } = await make({ events: ['link.*'] })
    const link = await linnet.create()
    await send()
    answer = ({ body }) => (body.data.title === 'first' ? 500 : 200)
    await linnet.api('PATCH', `/links/${link.id}`, { title: 'first' })
    await linnet.api('PATCH', `/links/${link.id}`, { title: 'second' })
    for (let attempts = 0; attempts < 12; attempts += 1) {
      await linnet.create()
      await send()
      later(27 * hour)
    }
    const of = (type: string) =>
      deliveries(id).then(all => all.filter((it: { type: string }) => it.type === type))
    const [second, first] = await of('link.updated')
    expect(first).toMatchObject({
      state: 'failed',
      attempts: 10,
      status: 500,
      answer: 'Hello\uFFFD',
    })
    expect(second).toMatchObject({ state: 'delivered' })
  })

  it('five times in a row pauses all, until one message is taken', async () => {
    await start()
    const { id } = await make({ events: ['link.created'] })
    answer = () => new FetchFailed('receiver.example does not answer: nothing within 15000 ms.')
    for (let links = 0; links < 20; links += 1) await linnet.create()
    await send()
    const before = sent.length
    expect(before).toBeGreaterThanOrEqual(5)
    expect(before).toBeLessThan(12)
    later(6 * second)
    await send()
    expect(sent.length).toBe(before + 1)
    later(5 * second)
    await send()
    expect(sent.length).toBe(before + 1)
    answer = () => 200
    later(6 * minute)
    await send()
    expect(await show(id)).toMatchObject({ state: 'working' })
    const states = new Set(await statesOf(id))
    expect(states).toEqual(new Set(['link.created delivered']))
  })

  it('waits as long as the receiver asks, between a second and a day', async () => {
    await start()
    const { id } = await make({ events: ['link.created'] })
    answer = () => 429
    const pauseOf = async (header: string) => {
      answerHeaders = { 'retry-after': header }
      sent = []
      await send()
      expect(sent).toHaveLength(1)
      const [{ nextAttemptAt }] = await deliveries(id)
      const pause = Date.parse(nextAttemptAt) - Date.parse(clock)
      later(pause)
      return pause
    }
    await linnet.create()
    expect(await pauseOf('120')).toBe(120 * second)
    expect(await pauseOf('0')).toBe(second)
    expect(await pauseOf('99999999')).toBe(day)
    expect(await pauseOf(new Date(Date.parse(clock) + hour).toUTCString())).toBe(hour)
    const usual = await pauseOf('soon')
    expect(usual).toBeGreaterThan(4 * hour)
    expect(usual).toBeLessThan(6 * hour)
  })

  it('for five days switches it off, and tells of it', async () => {
    await start(listener)
    const { id } = await make({ events: ['link.created'] })
    answer = () => 503
    for (let days = 0; days < 12; days += 1) {
      await linnet.create()
      await send()
      later(27 * hour)
    }
    expect(await show(id)).toMatchObject({ active: false, state: 'off', offBecause: 'failing' })
    await linnet.settled()
    expect(told).toMatchObject([
      {
        type: 'webhook.updated',
        accountId: linnet.account.rowId,
        after: { id, host: 'receiver.example', isOn: false, offBecause: 'failing' },
      },
    ])
    expect(linnet.log.join('\n')).toContain('A webhook was switched off')
    sent = []
    await linnet.create()
    await send()
    expect(sent).toEqual([])
  })

  it('with 410 switches it off at once; what is missed meanwhile can be sent when it is on again', async () => {
    await start(listener)
    const { id } = await make({ events: ['link.*'] })
    answer = () => 410
    const link = await linnet.create()
    await send()
    expect(await show(id)).toMatchObject({ active: false, offBecause: 'gone' })
    await linnet.settled()
    expect(told).toMatchObject([{ after: { offBecause: 'gone' } }])
    await linnet.api('PATCH', `/links/${link.id}`, { title: 'first' })
    await linnet.api('PATCH', `/links/${link.id}`, { title: 'second' })
    await send()
    expect(await statesOf(id)).toEqual([
      'link.updated missed',
      'link.updated missed',
      'link.created failed',
    ])
    const span = { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' }
    const refused = await linnet.api('POST', `/webhooks/${id}/replay`, span)
    expect(refused.body).toMatchObject({ code: 'webhook_off', status: 409 })
    await linnet.api('PATCH', `/webhooks/${id}`, { active: true })
    answer = () => 200
    sent = []
    await send()
    expect(sent).toEqual([])
    const replayed = await linnet.api('POST', `/webhooks/${id}/replay`, span)
    expect(replayed.body.data).toEqual({ messages: 3 })
    await send()
    expect(sent.map(({ body }) => body.data.title)).toEqual([null, 'first', 'second'])
    expect(new Set(await statesOf(id))).toEqual(
      new Set(['link.created delivered', 'link.updated delivered']),
    )
  })

  it('as it redirects says that redirects are not followed', async () => {
    await start()
    const { id } = await make()
    answer = () => 302
    const tested = await linnet.api('POST', `/webhooks/${id}/test`)
    expect(tested.body.data).toMatchObject({
      ...{ type: 'webhook.test', state: 'failed', status: 302 },
      problem: 'The receiver answered 302. Redirects are not followed: give the last address.',
    })
    expect(sent[0]?.options.method).toBe('POST')
  })
})

describe('a secret', () => {
  it('is shown once, and kept encrypted', async () => {
    await start()
    const { id, secret } = await make()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(JSON.stringify(await show(id))).not.toContain('whsec_')
    expect(JSON.stringify(await rowsOf(''))).not.toContain(secret.slice(6))
    const tried = await linnet.api('POST', '/webhooks?dry_run=true', { url: receiver })
    expect(tried.body.data.secret).toBe(null)
    expect((await linnet.api('GET', '/webhooks')).body.data).toHaveLength(1)
  })

  it('that is replaced signs for one more day', async () => {
    await start()
    const own = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
    const { id, secret: first } = await make({ secret: own })
    expect(first).toBe(own)
    const rotated = (await linnet.api('POST', `/webhooks/${id}/rotate`)).body.data
    expect(rotated).toMatchObject({ id, oldSecretUntil: '2026-11-21T12:00:00.000Z' })
    expect(rotated.secret).not.toBe(first)
    const verifies = (secret: string) => {
      const { options, headers } = sent.at(-1) as Sent
      vi.setSystemTime(clock)
      try {
        new Webhook(secret).verify(String(options.body), headers)
        return true
      } catch {
        return false
      } finally {
        vi.useRealTimers()
      }
    }
    await linnet.create()
    await send()
    expect([verifies(first), verifies(rotated.secret)]).toEqual([true, true])
    later(day)
    await linnet.create()
    await send()
    expect([verifies(first), verifies(rotated.secret)]).toEqual([false, true])
  })
})

describe('an address', () => {
  it('in the own network is reached for admins alone', async () => {
    await start(apiKeys)
    await make()
    const call = await otherAccount(linnet)
    await call('POST', '/webhooks', { url: 'https://other.example/' })
    await call('POST', '/links', { originalUrl: 'https://example.com/' })
    await linnet.create()
    await send()
    const own = sent.map(({ url, options }) => [url, options.toOwnNetwork])
    expect(own.sort()).toEqual([
      ['https://other.example/', false],
      [receiver, true],
    ])
  })

  it('that shows by itself that nothing is sent there is refused, also when it is changed', async () => {
    await start(apiKeys)
    const { id } = await make()
    const messageOf = async (answer: ReturnType<typeof linnet.api>) => {
      const { status, body } = await answer
      return `${status} ${body.errors[0].message}`
    }
    const why = 'its address is in a network that plugins must not connect to'
    // Only what admins enter may be allowed by the operator.
    const changed = linnet.api('PATCH', `/webhooks/${id}`, { url: 'http://10.0.0.2/' })
    expect(await messageOf(changed)).toBe(
      `422 Nothing can be sent there: ${why}, unless LINNET_FETCH_ALLOW names 10.0.0.2.`,
    )
    const call = await otherAccount(linnet)
    expect(await messageOf(call('POST', '/webhooks', { url: 'http://10.0.0.1/' }))).toBe(
      `422 Nothing can be sent there: ${why}.`,
    )
    expect(await messageOf(call('POST', '/webhooks', { url: 'https://n8n.lan:5678/' }))).toBe(
      '422 Nothing can be sent there: its port is not allowed.',
    )
  })

  it('that may not be connected to fails with the reason', async () => {
    await start()
    const { id } = await make()
    answer = () => new FetchFailed('receiver.example does not answer: no.', { isForbidden: true })
    await linnet.create()
    await send()
    expect((await deliveries(id))[0]).toMatchObject({
      ...{ state: 'waiting', attempts: 1, status: null },
      problem: 'receiver.example does not answer: no.',
    })
  })

  it.each([
    [{ url: 'ftp://example.com/' }, 'url'],
    [{ url: 'no address' }, 'url'],
    [{ url: '' }, 'url'],
    [{ url: 'https://ada:secret@example.com/' }, 'url'],
    [{ url: 'https://go.example.org/api/v1/links' }, 'url'],
    [{ url: 'http://10.0.0.1/' }, 'url'],
    [{ url: 'http://169.254.169.254/' }, 'url'],
    [{ url: 'https://[::1]/' }, 'url'],
    [{ url: 'http://localhost/' }, 'url'],
    [{ url: 'https://93.184.216.34:8443/' }, 'url'],
    [{ events: [] }, 'events'],
    [{ events: ['links.created'] }, 'events[0]'],
    [{ events: ['link.*', 'link.visited'] }, 'events[1]'],
    [{ events: ['link'] }, 'events[0]'],
    [{ events: ['link.*', '__proto__.created'] }, 'events[1]'],
    [{ events: Array(51).fill('*') }, 'events'],
    [{ secret: 'secret' }, 'secret'],
    [{ secret: 'whsec_c2hvcnQ=' }, 'secret'],
    [{ secret: `whsec_${'!'.repeat(40)}` }, 'secret'],
    [{ secret: `whsec_${Buffer.alloc(65).toString('base64')}` }, 'secret'],
    [{ covers: 'everything' }, 'covers'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ surplus: 1 }, 'surplus'],
  ])('%j is refused, and nothing is made', async (body, field) => {
    await start()
    const problem = await make(body, 422)
    expect(problem.errors.map((it: { field: string }) => it.field)).toContain(field)
    expect(await rowsOf('')).toEqual([])
  })

  it('of the whole instance is for admins', async () => {
    await start()
    const call = await otherAccount(linnet)
    const refused = await call('POST', '/webhooks', { url: receiver, covers: 'instance' })
    expect(refused).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    await make({ covers: 'instance', events: ['link.*'] })
    await call('POST', '/links', { originalUrl: 'https://example.com/' })
    await linnet.create()
    await send()
    expect(new Set(sent.map(({ body }) => body.account)).size).toBe(2)
    sent = []
    await linnet.db.updateTable('accounts').set({ is_admin: 0 }).execute()
    await call('POST', '/links', { originalUrl: 'https://example.com/' })
    await send()
    expect(sent).toEqual([])
  })
})

describe('the webhooks of an account', () => {
  it('are nobody else’s', async () => {
    await start()
    const { id } = await make()
    await linnet.create()
    await send()
    const [{ id: message }] = await deliveries(id)
    const call = await otherAccount(linnet)
    const span = { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' }
    for (const [method, path, body] of [
      ['GET', `/webhooks/${id}`],
      ['PATCH', `/webhooks/${id}`, { name: 'x' }],
      ['DELETE', `/webhooks/${id}`],
      ['POST', `/webhooks/${id}/rotate`],
      ['POST', `/webhooks/${id}/test`],
      ['POST', `/webhooks/${id}/replay`, span],
      ['GET', `/webhooks/${id}/deliveries`],
      ['GET', `/webhooks/${id}/deliveries/${message}`],
      ['POST', `/webhooks/${id}/deliveries/${message}/redeliver`],
    ] as const) {
      expect((await call(method, path, body)).status, `${method} ${path}`).toBe(404)
    }
    expect((await call('GET', '/webhook-deliveries')).body.data).toEqual([])
    expect((await linnet.api('GET', '/webhook-deliveries')).body.data).toHaveLength(1)
  })

  it('are fifty at most', async () => {
    await start()
    for (let count = 0; count < 50; count += 1) await make()
    expect(await make({}, 403)).toMatchObject({ code: 'limit_reached' })
  })

  it('change only if nobody changed them meanwhile', async () => {
    await start()
    const { id } = await make({ name: 'CRM' })
    const { etag } = (await linnet.api('GET', `/webhooks/${id}`)).headers
    const headers = { 'if-match': String(etag) }
    expect((await linnet.api('PATCH', `/webhooks/${id}`, { name: 'ERP' }, headers)).status).toBe(
      200,
    )
    expect((await linnet.api('PATCH', `/webhooks/${id}`, { name: 'X' }, headers)).status).toBe(412)
    for (const body of [
      { covers: 'instance' },
      { url: 'x' },
      { events: ['x.created'] },
      { active: 1 },
    ]) {
      expect((await linnet.api('PATCH', `/webhooks/${id}`, body)).status).toBe(422)
    }
    expect(await show(id)).toMatchObject({ name: 'ERP', covers: 'account' })
  })
})

describe('a message', () => {
  it('can be sent again with the same id', async () => {
    await start()
    const { id } = await make()
    await linnet.create()
    await send()
    const [first] = sent
    const again = await linnet.api('POST', `/webhooks/${id}/deliveries/${first?.id}/redeliver`)
    expect(again.body.data).toMatchObject({ id: first?.id, state: 'waiting', attempts: 0 })
    await send()
    expect(sent.map(it => it.id)).toEqual([first?.id, first?.id])
    expect((await linnet.api('POST', `/webhooks/${id}/deliveries/evt_none/redeliver`)).status).toBe(
      404,
    )
    expect((await deliveries(id, '&state=waiting')).length).toBe(0)
    expect((await deliveries(id, '&state=delivered')).length).toBe(1)
    expect((await linnet.api('GET', `/webhooks/${id}/deliveries?state=sent`)).status).toBe(422)
  })

  it.each([
    [{ from: '2026-11-21T00:00:00Z', to: '2026-11-20T00:00:00Z' }, 'to'],
    [{ from: '2026-11-20T00:00:00Z', to: '2026-11-20T00:00:00Z' }, 'to'],
    [{ from: 'yesterday', to: '2026-11-20T00:00:00Z' }, 'from'],
    [{ from: '2026-11-20T00:00:00Z' }, 'to'],
  ])('is not sent again for the span %j', async (span, field) => {
    await start()
    const { id } = await make()
    const { status, body } = await linnet.api('POST', `/webhooks/${id}/replay`, span)
    expect(status).toBe(422)
    expect(body.errors[0].field).toBe(field)
  })

  it('has at most 20,000 bytes, names what it leaves out, and says where that is', async () => {
    await start()
    await make({ events: ['link.*'] })
    const notes = 'ü'.repeat(5_000)
    const link = await linnet.create({ notes })
    await linnet.api('PATCH', `/links/${link.id}`, { notes: `${notes.slice(1)}!` })
    const long = 'https://example.com/?q='.padEnd(12_000, 'x')
    await linnet.api('PATCH', `/links/${link.id}`, { title: 'x' })
    await send()
    const sizes = sent.map(({ options }) => Buffer.byteLength(String(options.body)))
    expect(Math.max(...sizes)).toBeLessThanOrEqual(20_000)
    const [created, updated] = sent
    expect(created?.body.data.notes).toBe(notes)
    expect(updated?.body).toMatchObject({
      data: { id: link.id, notes: `${notes.slice(1)}!` },
      changed: ['notes'],
      omitted: ['previous'],
      read: `https://go.example.org/api/v1/links/${link.id}`,
    })
    expect(long.length).toBe(12_000)
  })

  it('is kept for seven days', async () => {
    await start()
    const { id } = await make({ events: ['link.*'] })
    await linnet.create()
    await send()
    later(7 * day - second)
    await linnet.run(`${feature}.tidy`)
    expect(await deliveries(id)).toHaveLength(1)
    later(2 * second)
    await linnet.run(`${feature}.tidy`)
    expect(await deliveries(id)).toEqual([])
    expect(await rowsOf('_messages')).toEqual([])
  })
})

/** Keeps so many more messages to a webhook that has one. */
async function fill(count: number, bytes: number) {
  const [message] = await rowsOf('_messages')
  const [delivery] = await rowsOf('_deliveries')
  for (let from = 0; from < count; from += 500) {
    const ids = Array.from(
      { length: Math.min(500, count - from) },
      (_, index) => 10_000 + from + index,
    )
    await linnet.db
      .insertInto('developer_webhooks_messages' as never)
      .values(ids.map(id => ({ ...message, id, event_id: `evt_${id}` })) as never)
      .execute()
    await linnet.db
      .insertInto('developer_webhooks_deliveries' as never)
      .values(ids.map(message_id => ({ ...delivery, message_id, bytes })) as never)
      .execute()
  }
}

describe('very many messages', () => {
  it('are deleted with their webhook, some at a time, with turns for redirects in between', async () => {
    const turnsWith = async (count: number) => {
      await start()
      const { id } = await make({ events: ['link.*'] })
      await linnet.create()
      await send()
      await fill(count, 100)
      let turns = 0
      const tick = () => {
        turns += 1
        next = setImmediate(tick)
      }
      let next = setImmediate(tick)
      expect((await linnet.api('DELETE', `/webhooks/${id}`)).status).toBe(204)
      clearImmediate(next)
      expect(await rowsOf('_deliveries')).toEqual([])
      await linnet.run(`${feature}.tidy`)
      expect(await rowsOf('_messages')).toEqual([])
      return turns
    }
    const few = await turnsWith(0)
    await linnet.stop()
    expect(await turnsWith(2_500)).toBeGreaterThan(few + 3)
  })

  it('of several webhooks are listed page by page, newest first, and sent again in their order', async () => {
    await start()
    await make()
    await make()
    await linnet.create()
    await send()
    await fill(5_100, 100)
    const id = publicId('whk', (await rowsOf('_deliveries'))[0]?.webhook_id ?? 0)
    const page = async (query: string) => {
      const { body } = await linnet.api('GET', `/webhook-deliveries?per_page=2&${query}`)
      const ids = body.data.map((it: { readonly id: string }) => it.id)
      return { total: body.meta.total, ids, next: body.meta.nextCursor }
    }
    const total = 5_102
    const first = await page('')
    expect(first).toMatchObject({ total, ids: ['evt_15099', 'evt_15098'] })
    expect(await page(`cursor=${first.next}`)).toMatchObject({ ids: ['evt_15097', 'evt_15096'] })
    expect(await page('page=1000')).toMatchObject({ total, ids: ['evt_13101', 'evt_13100'] })
    const { id: event } = sent[0] ?? {}
    const last = { total, ids: [event, event] }
    expect(await page('page=2551')).toMatchObject(last)
    expect(await page('page=2551&state=delivered')).toMatchObject(last)
    expect(await page('state=failed')).toEqual({ total: 0, ids: [], next: null })

    // So that it still waits when it is looked for.
    answer = () => 500
    const span = { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' }
    const { body } = await linnet.api('POST', `/webhooks/${id}/replay`, span)
    expect(body.data).toEqual({ messages: 5_101 })
    const waiting = (await rowsOf('_deliveries')).filter(it => it.state === 'waiting')
    const oldest = (await rowsOf('_messages')).find(it => it.event_id === event)
    expect(waiting.map(it => it.message_id)).toEqual([oldest?.id])
  })

  it('leave the newest for which there is room, and are counted, however many go', async () => {
    await start()
    const { id } = await make({ events: ['link.*'] })
    await linnet.create()
    await send()
    await fill(1_300, 1024 * 1024)
    await linnet.db
      .updateTable('developer_webhooks_deliveries' as never)
      .set({ state: 'behind' } as never)
      .where('message_id' as never, '>=', 10_000 as never)
      .execute()
    await linnet.run(`${feature}.tidy`)
    const kept = await rowsOf('_deliveries')
    const old = kept.filter(it => it.bytes === 1024 * 1024)
    expect([old.length, Math.min(...old.map(it => it.message_id))]).toEqual([256, 11_044])
    const lost = (await rowsOf('_messages')).find(it => it.type === 'events.lost')
    expect(JSON.parse(lost.body).data.count).toBe(1_044)
    expect(await rowsOf('_messages')).toHaveLength(257)
    expect((await deliveries(id)).length).toBe(100)
  })
})

describe('more messages than are kept', () => {
  it('drop the oldest of them, which the webhook is told, and what was behind them is sent', async () => {
    await start()
    const { id } = await make({ events: ['link.*'] })
    answer = () => 500
    const link = await linnet.create()
    for (const title of ['first', 'second', 'third']) {
      await linnet.api('PATCH', `/links/${link.id}`, { title })
    }
    await send()
    expect(await deliveries(id)).toHaveLength(4)
    await linnet.db
      .updateTable('developer_webhooks_deliveries' as never)
      .set({ bytes: 100 * 1024 * 1024 } as never)
      .execute()
    await linnet.run(`${feature}.tidy`)
    answer = () => 200
    sent = []
    later(6 * minute)
    await send()
    const told = sent.map(({ body }) => [body.type, body.data.title ?? body.data.count])
    expect(told.sort()).toEqual([
      ['events.lost', 2],
      ['link.updated', 'second'],
      ['link.updated', 'third'],
    ])
    expect(await rowsOf('_messages')).toHaveLength(3)
    expect(linnet.log.join('\n')).toContain('Messages to a webhook were dropped')
  })
})

describe('the visits of an hour', () => {
  const visit = (code: string) => linnet.visit(code, { headers: { 'user-agent': browser } })

  it('are told once, by link, to those that want them, without anything of who came', async () => {
    await start(['analytics.visitsTracking', 'link.customShortCode'])
    await make({ events: ['visits.counted'] })
    await make({ url: 'https://all.example/', events: ['*'] })
    await linnet.run(`${feature}.tellVisits`)
    const a = await linnet.create({ shortCode: 'a' })
    await linnet.create({ shortCode: 'b' })
    for (const code of ['a', 'a']) await visit(code)
    at('2026-11-20T13:06:00Z')
    await visit('a')
    for (let times = 0; times < 2; times += 1) await linnet.run(`${feature}.tellVisits`)
    await send()
    const counted = sent.filter(({ body }) => body.type === 'visits.counted')
    expect(counted.map(({ url, body }) => [url, body.data])).toEqual([
      [
        receiver,
        {
          from: '2026-11-20T12:00:00.000Z',
          to: '2026-11-20T13:00:00.000Z',
          links: [{ id: a.id, shortUrl: a.shortUrl, visits: 2 }],
        },
      ],
    ])
    at('2026-11-20T16:06:00Z')
    await linnet.run(`${feature}.tellVisits`)
    await send()
    const hours = sent.filter(({ body }) => body.type === 'visits.counted')
    expect(hours.map(({ body }) => body.data.from)).toEqual([
      '2026-11-20T12:00:00.000Z',
      '2026-11-20T13:00:00.000Z',
    ])
  })
})
