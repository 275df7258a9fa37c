import assert from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { resetSteps } from '../../../../core/accounts/access/account-steps.ts'
import { suspendAccount } from '../../../../core/accounts/access/suspend-account.ts'
import { findAccountByEmail } from '../../../../core/accounts/accounts.ts'
import { purgePlugin } from '../../../../core/kernel/run/purge-plugin.ts'
import {
  definePlugin,
  type Endpoint,
  type Plugin,
  refuse,
  type Step,
} from '../../../../core/plugin.ts'
import type { Harness } from '../../../harness.ts'
import { browser, codes, email, password, sessionIn, withBob } from './signing-in.ts'

const wrong = { email, password: 'difference engine' }

/** The plugin with another step. */
function withStep(step: Partial<Step>): Plugin {
  const { code } = codes.unstable?.steps ?? {}
  return { ...codes, unstable: { steps: { code: { ...code, ...step } as Step } } }
}

const moreMarks: NonNullable<Plugin['endpoints']> = {
  'POST /more-marks': codes.endpoints?.['POST /marks'] as Endpoint,
}
const start = '2026-11-20T12:00:00Z'

/** Bob, whose account needs a code. */
async function withMarkedBob(plugins = [codes]) {
  const all = await withBob(plugins)
  const session = sessionIn(await browser(all.linnet).signIn())
  expect((await browser(all.linnet, session).send('POST', '/marks')).status).toBe(200)
  return { ...all, session }
}

async function ticketOf(linnet: Harness): Promise<string> {
  const { status, body } = await browser(linnet).signIn()
  expect([status, body.code]).toEqual([401, 'second_step_required'])
  return body.ticket
}

describe('an account that needs a second step', () => {
  test('is not opened by an answer once it is suspended', async () => {
    const { linnet } = await withMarkedBob()
    const ticket = await ticketOf(linnet)
    const bob = await findAccountByEmail(linnet.db, email)
    await suspendAccount(linnet.db, bob?.id ?? 0, false, () => new Date(start))
    const refused = { status: 403, body: { code: 'account_suspended' } }
    expect(await browser(linnet).answer(ticket, 'six')).toMatchObject(refused)
    expect(await browser(linnet).signIn()).toMatchObject(refused)
  })

  test('is asked after the right password, and opens with the right answer', async () => {
    const { linnet } = await withMarkedBob()
    const asked = await browser(linnet).signIn({ 'accept-language': 'de' })
    expect(asked).toMatchObject({
      status: 401,
      body: {
        code: 'second_step_required',
        ticket: expect.any(String),
        step: {
          feature: 'acme.codes',
          name: 'code',
          label: 'Ein Code',
          question: { text: `Der Code von ${email}`, kind: 'code' },
        },
      },
    })
    expect(sessionIn(asked)).toBe('')
    const opened = await browser(linnet).answer(asked.body.ticket, 'six')
    expect(opened).toMatchObject({ status: 201, body: { data: { email } } })
    const session = browser(linnet, sessionIn(opened))
    const { data } = (await session.send('GET', '/sessions')).body
    const current = data.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent)
    expect(current.methods).toEqual(['pwd', 'otp'])
  })

  test('answers a wrong password as any other account does', async () => {
    const { linnet } = await withMarkedBob()
    const { requestId: _, ...marked } = (await browser(linnet).send('POST', '/session', wrong)).body
    const nobody = await browser(linnet).send('POST', '/session', {
      ...wrong,
      email: 'a@b.example',
    })
    expect(nobody.body).toMatchObject(marked)
    expect(nobody.status).toBe(401)
  })

  test('opens with no wrong answer, and says what the plugin says of it', async () => {
    const { linnet } = await withMarkedBob()
    const ticket = await ticketOf(linnet)
    const said = await browser(linnet).answer(ticket, 'seven', { 'accept-language': 'de' })
    expect(said).toMatchObject({
      status: 422,
      body: { code: 'wrong_answer', detail: 'Das ist nicht sechs.', errors: [{ field: 'answer' }] },
    })
    expect(sessionIn(said)).toBe('')
    expect((await browser(linnet).answer(ticket, 'six')).status).toBe(201)
  })

  test('is asked again without an answer, as often as one likes', async () => {
    const { linnet } = await withMarkedBob()
    const ticket = await ticketOf(linnet)
    for (const _ of [1, 2]) {
      const again = await browser(linnet).answer(ticket)
      expect(again).toMatchObject({ status: 401, body: { step: { question: { kind: 'code' } } } })
      expect((await browser(linnet).answer(again.body.ticket)).status).toBe(401)
    }
    expect((await browser(linnet).answer(ticket, 'six')).status).toBe(201)
  })

  test('refuses after ten wrong answers in a minute, the right one too, and says how many are left', async () => {
    const { linnet } = await withMarkedBob()
    const ticket = await ticketOf(linnet)
    for (let left = 9; left >= 0; left -= 1) {
      const { status, headers } = await browser(linnet).answer(ticket, 'seven')
      expect([status, headers.ratelimit]).toEqual([422, expect.stringMatching(`;r=${left};`)])
    }
    expect(await browser(linnet).answer(ticket, 'six')).toMatchObject({ status: 429 })
    expect(await browser(linnet).answer(await ticketOf(linnet), 'six')).toMatchObject({
      status: 429,
    })
  })

  test('is asked after a one-time link, too, which sets the password all the same', async () => {
    const { linnet, id } = await withMarkedBob()
    const path = `/admin/accounts/${id}/one-time-link`
    const { secret } = (await linnet.api('POST', path, {})).body.data
    const chosen = { secret, password: 'four random words' }
    const used = await browser(linnet).send('POST', '/one-time-link/use', chosen)
    expect(used).toMatchObject({ status: 401, body: { code: 'second_step_required' } })
    expect(sessionIn(used)).toBe('')
    expect((await browser(linnet).signIn()).body.code).toBe('invalid_credentials')
    expect((await browser(linnet).answer(used.body.ticket, 'six')).status).toBe(201)
  })

  test('opens with the password alone once it is marked no longer', async () => {
    const { linnet } = await withMarkedBob()
    const session = sessionIn(await browser(linnet).answer(await ticketOf(linnet), 'six'))
    expect((await browser(linnet, session).send('DELETE', '/marks')).status).toBe(200)
    expect((await browser(linnet).signIn()).status).toBe(201)
  })

  test('stays closed while the plugin is off, and others sign in', async () => {
    const { linnet } = await withMarkedBob()
    const ticket = await ticketOf(linnet)
    const off = await linnet.restart([])
    const shut = { status: 503, body: { code: 'second_step_unavailable' } }
    expect(await browser(off).signIn()).toMatchObject(shut)
    expect(await browser(off).answer(ticket, 'six')).toMatchObject(shut)
    expect((await browser(off).send('POST', '/session', wrong)).status).toBe(401)
    const other = { email: 'eve@example.org', password }
    expect((await off.api('POST', '/admin/accounts', other)).status).toBe(201)
    expect((await browser(off).send('POST', '/session', other)).status).toBe(201)
    expect(off.log.join('\n')).toContain('because a plugin did not ask its second step')
  })

  test('need not be marked if the plugin says that it has to do the step, and is told what was proven', async () => {
    const told: object[] = []
    const isNeeded: Step['isNeeded'] = ({ accountId: _, ...who }) => {
      told.push(who)
      return who.email === email
    }
    const { linnet } = await withBob([withStep({ isNeeded })])
    const eve = { email: 'eve@example.org', password }
    await linnet.api('POST', '/admin/accounts', { ...eve, is_admin: true })
    const ticket = await ticketOf(linnet)
    expect((await browser(linnet).answer(ticket, 'six')).status).toBe(201)
    expect((await browser(linnet).send('POST', '/session', eve)).status).toBe(201)
    const methods = ['pwd']
    expect(told).toContainEqual({ email, fullName: null, isAdmin: false, methods })
    expect(told).toContainEqual({ email: eve.email, fullName: null, isAdmin: true, methods })
  })

  test('is signed in by nobody while a plugin that has to say who does the step fails', async () => {
    const throws = () => assert.fail('No idea.')
    const saysNonsense = () => 'yes' as never
    for (const isNeeded of [throws, saysNonsense]) {
      const { linnet } = await withBob([withStep({ isNeeded, ask: () => undefined })])
      expect((await browser(linnet).signIn()).body.code).toBe('second_step_unavailable')
    }
  })

  test('keeps nobody waiting while its plugin hangs, and opens for nobody then', async () => {
    const hanging = Promise.withResolvers<undefined>()
    let asked = 0
    const { linnet } = await withMarkedBob([
      withStep({
        check() {
          asked += 1
          return hanging.promise
        },
      }),
    ])
    const tickets = [await ticketOf(linnet), await ticketOf(linnet), await ticketOf(linnet)]
    const answers = tickets.map(ticket => browser(linnet).answer(ticket, 'six'))
    await expect.poll(() => asked).toBe(3)
    const other = { email: 'eve@example.org', password }
    await linnet.api('POST', '/admin/accounts', other)
    expect((await browser(linnet).send('POST', '/session', other)).status).toBe(201)
    hanging.reject(new Error('It gave up.'))
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([503, 503, 503])
    expect(linnet.log.join('\n')).toContain('acme.codes steps code check failed: It gave up.')
  })

  test('opens once for who answers several times at the same moment', async () => {
    const { linnet } = await withMarkedBob()
    const ticket = await ticketOf(linnet)
    const answers = [1, 2, 3, 4].map(() => browser(linnet).answer(ticket, 'six'))
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([201, 422, 422, 422])
  })

  test('does the steps of each plugin that marked it, one after another', async () => {
    const second = { ...withStep({}), feature: 'acme.more' as const, endpoints: moreMarks }
    const { linnet, session } = await withMarkedBob([codes, second])
    expect((await browser(linnet, session).send('POST', '/more-marks')).status).toBe(200)
    const first = await ticketOf(linnet)
    const next = await browser(linnet).answer(first, 'six')
    expect(next).toMatchObject({ status: 401, body: { step: { feature: 'acme.more' } } })
    expect(await browser(linnet).answer(first, 'six')).toMatchObject(over)
    const opened = await browser(linnet).answer(next.body.ticket, 'six')
    expect(opened.status).toBe(201)
  })

  test('is released when its plugin is purged', async () => {
    const { linnet } = await withMarkedBob()
    const off = await linnet.restart([])
    await purgePlugin(off.db, 'acme.codes')
    expect((await browser(off).signIn()).status).toBe(201)
  })

  test('is let in by the server, which the plugin hears of', async () => {
    const heard: object[] = []
    const listening: Plugin = {
      ...codes,
      events: {
        kinds: ['step'],
        handle({ type, accountId, before, after }) {
          heard.push({ type, accountId, before, after })
        },
      },
    }
    const { linnet, account } = await withMarkedBob([listening])
    expect(await resetSteps(linnet.db, account.id, () => new Date())).toEqual(['acme.codes'])
    expect((await browser(linnet).signIn()).status).toBe(201)
    await linnet.settled()
    const step = { feature: 'acme.codes' }
    expect(heard).toEqual([
      { type: 'step.created', accountId: account.id, before: null, after: step },
      { type: 'step.deleted', accountId: account.id, before: step, after: null },
    ])
  })

  test('stays closed where the plugin asks nothing', async () => {
    const { linnet } = await withMarkedBob()
    const silent = definePlugin({
      feature: 'acme.codes',
      about: 'Asks nothing.',
      unstable: {
        steps: {
          code: { label: 'A code', method: 'otp', ask: () => undefined, check: () => undefined },
        },
      },
    })
    const asksNothing = await linnet.restart([silent])
    expect(await browser(asksNothing).signIn()).toMatchObject({ status: 503 })
  })
})

describe('alternatives of a second step', () => {
  const oneOf = 'secondFactor'
  const { code } = codes.unstable?.steps ?? {}
  const { translations: _, ...bare } = codes
  const asks = (text: string) => () => ({ text, kind: 'text' }) as const
  const takes = (right: string) => (_: unknown, answer: string) =>
    answer === right ? undefined : refuse('no', 'No.')
  const app = { ...code, oneOf, ask: asks('App?'), check: takes('six') } as Step
  const paper = { ...app, label: 'Paper', method: 'kba', ask: asks('Paper?'), check: takes('ten') }
  const key = { ...app, label: 'Key', method: 'hwk', ask: asks('Key?'), check: takes('key') }
  /** Steps of two plugins, both of which Bob's account needs. */
  async function withAlternatives(steps: Record<string, Step>, other: Record<string, Step>) {
    const plugins = pluginsWith(steps, other)
    const { linnet, session } = await withMarkedBob(plugins)
    expect((await browser(linnet, session).send('POST', '/more-marks')).status).toBe(200)
    return { linnet, plugins }
  }
  const pluginsWith = (steps: Record<string, Step>, other: Record<string, Step>): Plugin[] => [
    { ...bare, unstable: { steps } },
    { ...bare, feature: 'acme.more', endpoints: moreMarks, unstable: { steps: other } },
  ]
  const choose = (linnet: Harness, ticket: string, name: string, feature = 'acme.codes') =>
    browser(linnet).send('POST', '/session/step', { ticket, step: { feature, name } })
  const throws = () => {
    throw new Error('boom')
  }

  test('are enough one by one, and people choose which', async () => {
    const { linnet } = await withAlternatives({ app, paper }, { key })
    const asked = (await browser(linnet).signIn()).body
    expect([asked.step.name, asked.alternatives]).toEqual([
      'app',
      [
        { feature: 'acme.codes', name: 'paper', label: 'Paper' },
        { feature: 'acme.more', name: 'key', label: 'Key' },
      ],
    ])
    const { body: chosen } = await choose(linnet, asked.ticket, 'key', 'acme.more')
    expect([chosen.step.question.text, chosen.alternatives.length]).toEqual(['Key?', 2])
    // It is asked for until it is answered, and nobody else's answer is right.
    expect((await browser(linnet).answer(chosen.ticket)).body.step.name).toBe('key')
    expect((await browser(linnet).answer(chosen.ticket, 'six')).status).toBe(422)
    expect((await browser(linnet).answer(asked.ticket, 'key')).status).toBe(422)
    const opened = await browser(linnet).answer(chosen.ticket, 'key')
    expect(opened.status).toBe(201)
    const { data } = (await browser(linnet, sessionIn(opened)).send('GET', '/sessions')).body
    expect(data.map(({ methods }: { methods: string[] }) => methods)).toContainEqual(['pwd', 'hwk'])
    const paperTicket = (await choose(linnet, await ticketOf(linnet), 'paper')).body.ticket
    expect((await browser(linnet).answer(paperTicket, 'ten')).status).toBe(201)
  })

  test('are asked only when their turn comes, and stand in for one that asks nothing or fails', async () => {
    let asked = 0
    const counted = {
      ...key,
      ask() {
        asked += 1
        return { text: 'Key?', kind: 'text' } as const
      },
    }
    const { linnet } = await withAlternatives(
      { app, paper: { ...paper, ask: () => undefined } },
      { key: counted },
    )
    const ticket = await ticketOf(linnet)
    expect((await choose(linnet, ticket, 'paper')).body.step.name).toBe('app')
    expect((await choose(linnet, ticket, 'nothing')).body.step.name).toBe('app')
    expect(asked).toBe(0)
    const broken = await linnet.restart(pluginsWith({ app: { ...app, ask: throws } }, { key }))
    const due = (await browser(broken).signIn()).body
    expect([due.step.name, due.alternatives.length]).toEqual(['key', 1])
    expect((await choose(broken, due.ticket, 'app')).body.step.name).toBe('key')
    expect((await browser(broken).answer(due.ticket, 'key')).status).toBe(201)
  })

  test('keep the account closed if all fail, or the plugin of one is off', async () => {
    const { linnet, plugins } = await withAlternatives({ app }, { key })
    const shut = { status: 503, body: { code: 'second_step_unavailable' } }
    const failing = { ask: throws }
    const broken = await linnet.restart(
      pluginsWith({ app: { ...app, ...failing } }, { key: { ...key, ...failing } }),
    )
    expect(await browser(broken).signIn()).toMatchObject(shut)
    const half = await broken.restart(plugins.slice(0, 1))
    const due = await browser(half).signIn()
    expect(due.body.alternatives).toEqual([])
    expect(await browser(half).answer(due.body.ticket, 'six')).toMatchObject(shut)
  })

  test('are none of a plugin that did not mark the account, or with another word', async () => {
    const { linnet } = await withMarkedBob(pluginsWith({ app }, { key }))
    const due = (await browser(linnet).signIn()).body
    expect(due.alternatives).toEqual([])
    expect((await choose(linnet, due.ticket, 'key', 'acme.more')).body.step.name).toBe('app')
    const { linnet: both } = await withAlternatives({ app }, { key: { ...key, oneOf: 'other' } })
    const next = await browser(both).answer(await ticketOf(both), 'six')
    expect(next).toMatchObject({ status: 401, body: { step: { name: 'key' }, alternatives: [] } })
  })
})

describe('the ticket of a second step', () => {
  test('works once', async () => {
    const { linnet } = await withMarkedBob()
    const ticket = await ticketOf(linnet)
    expect((await browser(linnet).answer(ticket, 'six')).status).toBe(201)
    expect(await browser(linnet).answer(ticket, 'six')).toMatchObject(over)
    const off = await linnet.restart([codes])
    expect(await browser(off).answer(ticket, 'six')).toMatchObject(over)
  })

  test('ends after five minutes, however often it is asked for', async () => {
    const { linnet } = await withMarkedBob()
    linnet.at(start)
    const ticket = await ticketOf(linnet)
    linnet.at('2026-11-20T12:04:00Z')
    const again = (await browser(linnet).answer(ticket)).body.ticket
    linnet.at('2026-11-20T12:05:01Z')
    expect(await browser(linnet).answer(ticket, 'six')).toMatchObject(over)
    expect(await browser(linnet).answer(again, 'six')).toMatchObject(over)
  })

  test('goes on working where a browser comes from another address, as those with IPv4 and IPv6 do', async () => {
    const { linnet } = await withMarkedBob()
    const ticket = await ticketOf(linnet)
    const answer = (ip: string) =>
      linnet.visit('api/v1/session/step', {
        ...{ ip, method: 'POST', body: JSON.stringify({ ticket, answer: 'six' }) },
        headers: { 'content-type': 'application/json' },
      })
    expect((await answer('2001:db8::1')).status).toBe(201)
    expect((await answer('192.0.2.7')).status).toBe(422)
  })

  test('opens once where the account needs no step any more', async () => {
    const { linnet, account } = await withMarkedBob()
    const ticket = await ticketOf(linnet)
    await resetSteps(linnet.db, account.id, () => new Date())
    expect((await browser(linnet).answer(ticket)).status).toBe(201)
    expect(await browser(linnet).answer(ticket)).toMatchObject(over)
  })

  test('dies with the password', async () => {
    const { linnet, id } = await withMarkedBob()
    const ticket = await ticketOf(linnet)
    const changed = await linnet.api('PATCH', `/admin/accounts/${id}`, {
      password: 'another long one',
    })
    expect(changed.status).toBe(200)
    expect(await browser(linnet).answer(ticket, 'six')).toMatchObject(over)
  })

  test('is worth nothing if it is made up, changed or for another purpose', async () => {
    const { linnet } = await withMarkedBob()
    const ticket = await ticketOf(linnet)
    const changed = `${ticket.slice(0, -4)}AAAA`
    for (const text of ['', 'x', changed, 'A'.repeat(4_000)]) {
      expect(await browser(linnet).answer(text, 'six')).toMatchObject(over)
    }
  })
})

describe('proving again', () => {
  test('asks for the password and the second step, and makes the session fresh', async () => {
    const { linnet, session } = await withMarkedBob()
    linnet.at('2026-11-20T13:00:00Z')
    const bob = browser(linnet, session)
    const stale = { status: 403, body: { code: 'fresh_sign_in_required' } }
    expect(await bob.send('DELETE', '/marks')).toMatchObject(stale)
    expect((await bob.send('POST', '/session/proof', { current_password: 'a guess' })).status).toBe(
      422,
    )
    const asked = await bob.send('POST', '/session/proof', { current_password: password })
    expect(asked).toMatchObject({ status: 401, body: { code: 'second_step_required' } })
    expect(await bob.send('DELETE', '/marks')).toMatchObject(stale)
    const { ticket } = asked.body
    expect((await bob.send('POST', '/session/proof', { ticket, answer: 'seven' })).status).toBe(422)
    const proven = await bob.send('POST', '/session/proof', { ticket, answer: 'six' })
    expect([proven.status, proven.headers['set-cookie']]).toEqual([201, undefined])
    const [row] = (await bob.send('GET', '/sessions')).body.data
    expect(row).toMatchObject({
      methods: ['pwd', 'otp'],
      authenticatedAt: '2026-11-20T13:00:00.000Z',
    })
    expect((await bob.send('DELETE', '/marks')).status).toBe(200)
  })

  test('is for the session that asked, and opens no other', async () => {
    const { linnet, session } = await withMarkedBob()
    const bob = browser(linnet, session)
    const { ticket } = (await bob.send('POST', '/session/proof', { current_password: password }))
      .body
    const opened = await browser(linnet).answer(await ticketOf(linnet), 'six')
    const other = browser(linnet, sessionIn(opened))
    expect(await browser(linnet).answer(ticket, 'six')).toMatchObject(over)
    expect(await other.answer(ticket, 'six')).toMatchObject(over)
    expect(await other.send('POST', '/session/proof', { ticket, answer: 'six' })).toMatchObject(
      over,
    )
    expect((await bob.answer(ticket, 'six')).status).toBe(201)
  })

  test('proves nothing of a session that was ended meanwhile', async () => {
    let end: () => Promise<unknown> = async () => undefined
    const { linnet, session } = await withMarkedBob([
      withStep({ check: async () => void (await end()) }),
    ])
    const bob = browser(linnet, session)
    const { ticket } = (await bob.send('POST', '/session/proof', { current_password: password }))
      .body
    end = () => bob.send('DELETE', '/session')
    expect(await bob.send('POST', '/session/proof', { ticket, answer: 'six' })).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated', detail: 'This session has ended meanwhile. Sign in again.' },
    })
  })

  test('is needed by a session that was opened before the account was marked', async () => {
    const { linnet } = await withBob([codes])
    linnet.at(start)
    const session = sessionIn(await browser(linnet).signIn())
    linnet.at('2026-11-20T12:00:10Z')
    const bob = browser(linnet, session)
    expect((await bob.send('POST', '/marks')).status).toBe(200)
    expect(await bob.send('DELETE', '/marks')).toMatchObject({ status: 403 })
  })

  test('is refused to tokens, as is what needs a fresh sign-in', async () => {
    const { linnet } = await withBob([
      codes,
      (await import('../../../../plugins/developer/api-keys.ts')).default,
    ])
    const made = await linnet.api('POST', '/api-tokens', { name: 'CI', scopes: ['*'] })
    const headers = { authorization: `Bearer ${made.body.data.token}`, cookie: '' }
    const refused = { status: 403, body: { code: 'session_required' } }
    expect(await linnet.api('DELETE', '/marks', undefined, headers)).toMatchObject(refused)
    expect(await linnet.api('POST', '/session/proof', {}, headers)).toMatchObject(refused)
  })

  test('is needed besides the password where a session is asked for it', async () => {
    const { linnet, session } = await withMarkedBob()
    linnet.at('2026-11-20T13:00:00Z')
    const bob = browser(linnet, session)
    const change = { current_password: password, new_password: 'another long one' }
    const send = () => bob.send('PATCH', '/profile/password', change)
    expect(await send()).toMatchObject({ status: 403, body: { code: 'fresh_sign_in_required' } })
    const { ticket } = (await bob.send('POST', '/session/proof', { current_password: password }))
      .body
    await bob.send('POST', '/session/proof', { ticket, answer: 'six' })
    const changed = await send()
    expect(changed.status).toBe(204)
    const [row] = (await browser(linnet, sessionIn(changed)).send('GET', '/sessions')).body.data
    expect(row.methods).toEqual(['pwd', 'otp'])
  })

  test('is needed by an account without a password, in place of it', async () => {
    const { linnet } = await withBob([])
    const stale = await linnet.api('GET', '/profile')
    expect(stale.body.data.hasPassword).toBe(false)
    const { id } = (await linnet.api('POST', '/admin/accounts', { email: 'eve@example.org' })).body
      .data
    const path = `/admin/accounts/${id}/one-time-link`
    expect((await linnet.api('POST', path, {})).status).toBe(201)
    const cookie = await oldSession(linnet)
    const refused = { status: 403, body: { code: 'fresh_sign_in_required' } }
    expect(await browser(linnet, cookie).send('POST', path, {})).toMatchObject(refused)
    expect(await browser(linnet, cookie).send('POST', '/session/proof', {})).toMatchObject(refused)
  })
})

const over = { status: 422, body: { code: 'invalid_ticket' } }

/** A session of the harness' account, which was proven an hour ago. */
async function oldSession(linnet: Harness): Promise<string> {
  const { openSession } = await import('../../../../core/accounts/access/sessions/sessions.ts')
  const anHourAgo = () => new Date('2026-11-20T11:00:00Z')
  return `__Host-linnet=${await openSession(linnet.db, linnet.account.rowId, anHourAgo)}`
}
