import { describe, expect, it, onTestFinished } from 'vitest'
import { definePlugin } from '../../../../core/plugin.ts'
import plugin from '../../../../plugins/organization/second-factor.ts'
import { boot, type Harness } from '../../../harness.ts'
import { softwareAuthenticator } from '../../../software-authenticator.ts'

const bob = { email: 'bob@example.org', password: 'analytical engine' }
const origin = 'https://go.example.org'
const first = { feature: plugin.feature, name: 'passkey' }

function browser(linnet: Harness, cookie = '') {
  const call = (method: string, path: string, body?: unknown) =>
    linnet.api(method, path, body, { cookie })
  return { call, signIn: () => call('POST', '/session', bob) }
}

const cookieIn = ({ headers }: { headers: Readonly<Record<string, unknown>> }) =>
  String(headers['set-cookie']).split(';')[0] ?? ''

/** Linnet with Bob, and a device that has a passkey of his. */
async function start(
  flaws: Parameters<ReturnType<typeof softwareAuthenticator>['make']>[1] = {},
  at = '2026-11-20T12:00:00Z',
) {
  const linnet = await boot(plugin, { at })
  onTestFinished(() => linnet.stop())
  const { body: made } = await linnet.api('POST', '/admin/accounts', bob)
  const own = browser(linnet, cookieIn(await browser(linnet).signIn()))
  const device = softwareAuthenticator(origin)
  const { options } = (await own.call('POST', '/second-factor/passkeys')).body.data
  const passkey = device.make(options, flaws)
  const added = await own.call('POST', '/second-factor/passkeys/confirm', { passkey })
  expect(added.status).toBe(200)
  linnet.at('2026-11-20T12:01:00Z')
  return { linnet, own, device, id: made.data.id }
}

async function askFirst(linnet: Harness) {
  const { status, body } = await browser(linnet).call('POST', '/session/ask', { step: first })
  expect(status).toBe(200)
  const { ticket, step } = body.data
  return { ticket, options: step.question.data.options as string, step }
}

/** Signs in by the passkey alone. */
async function signIn(
  linnet: Harness,
  device: ReturnType<typeof softwareAuthenticator>,
  flaws: Parameters<typeof device.use>[1] = {},
) {
  const { ticket, options } = await askFirst(linnet)
  const answer = device.use(options, flaws)
  return browser(linnet).call('POST', '/session/step', { ticket, answer })
}

const list = async (own: ReturnType<typeof browser>) =>
  (await own.call('GET', '/second-factor/passkeys')).body.data

describe('a passkey that its device verifies', () => {
  it('signs in without address and password, and stands for the second factor', async () => {
    const { linnet, own, device } = await start()
    const { body } = await browser(linnet).call('GET', '/session')
    expect(body.data.firstSteps).toEqual([{ ...first, label: 'a passkey' }])
    const { options, step } = await askFirst(linnet)
    expect(step.question.kind).toBe('passkey')
    expect(JSON.parse(options)).toMatchObject({
      rpId: 'go.example.org',
      userVerification: 'required',
    })
    expect(JSON.parse(options).allowCredentials ?? []).toEqual([])
    const signedIn = await signIn(linnet, device)
    expect([signedIn.status, signedIn.body.data.email]).toEqual([201, bob.email])
    expect((await list(own))[0]).toMatchObject({ signsInAlone: true })
    const sessions = await browser(linnet, cookieIn(signedIn)).call('GET', '/sessions')
    expect(sessions.body.data.find((it: { isCurrent: boolean }) => it.isCurrent).methods).toEqual([
      'hwk',
    ])
  })

  it('does so while a second factor is wanted of everybody', async () => {
    const { linnet, device } = await start()
    const settings = { wantedOf: 'everybody' }
    await linnet.api('PATCH', `/admin/plugins/${plugin.feature}`, { settings })
    expect((await signIn(linnet, device)).status).toBe(201)
  })

  it('answers each question once', async () => {
    const { linnet, device } = await start()
    const { ticket, options } = await askFirst(linnet)
    const answer = device.use(options)
    const send = (of: string) =>
      browser(linnet).call('POST', '/session/step', { ticket: of, answer })
    expect((await send(ticket)).status).toBe(201)
    expect((await send(ticket)).status).toBe(422)
    // Not with another ticket either.
    expect((await send((await askFirst(linnet)).ticket)).body.code).toBe('wrong_answer')
  })

  it('answers an older question after a newer one, as of two tabs', async () => {
    const { linnet, device } = await start()
    const older = await askFirst(linnet)
    linnet.at('2026-11-20T12:01:05Z')
    expect((await signIn(linnet, device)).status).toBe(201)
    const sent = { ticket: older.ticket, answer: device.use(older.options) }
    expect((await browser(linnet).call('POST', '/session/step', sent)).status).toBe(201)
  })

  it('signs in also after it did while the clock was ahead', async () => {
    const { linnet, own, device } = await start()
    linnet.at('2026-11-21T12:00:00Z')
    expect((await signIn(linnet, device)).status).toBe(201)
    linnet.at('2026-11-20T12:02:00Z')
    expect((await signIn(linnet, device)).status).toBe(201)
    expect((await list(own))[0]).toMatchObject({ lastUsedAt: '2026-11-20T12:02:00.000Z' })
  })

  it('answers no question that was asked while the clock was ahead', async () => {
    const { linnet, device } = await start()
    linnet.at('2026-11-21T12:00:00Z')
    const { options } = await askFirst(linnet)
    linnet.at('2026-11-20T12:02:00Z')
    const { ticket } = await askFirst(linnet)
    const sent = { ticket, answer: device.use(options) }
    const { body } = await browser(linnet).call('POST', '/session/step', sent)
    expect(body.code).toBe('wrong_answer')
  })

  it('signs in also if it was made while the clock was ahead', async () => {
    const { linnet, device } = await start({}, '2027-11-20T12:00:00Z')
    expect((await signIn(linnet, device)).status).toBe(201)
  })

  it.each([
    ['that nobody verified', { isUnverified: true }],
    ['of another site', { origin: 'https://go.example.com' }],
    ['of somebody else', { userHandle: Buffer.from('account 1').toString('base64url') }],
  ])('signs nobody in by an answer %s', async (_, flaws) => {
    const { linnet, device } = await start()
    const { status, body } = await signIn(linnet, device, flaws)
    expect([status, body.code]).toEqual([422, 'wrong_answer'])
  })

  it('is no way in for ten wrong answers a minute of one client', async () => {
    const { linnet, device } = await start()
    for (let wrong = 0; wrong < 10; wrong += 1) {
      expect((await signIn(linnet, device, { isUnverified: true })).status).toBe(422)
    }
    expect((await signIn(linnet, device)).status).toBe(429)
  })

  it('signs in only after the password once its owner chooses that', async () => {
    const { linnet, own, device } = await start()
    const [{ id }] = await list(own)
    const path = `/second-factor/passkeys/${id}`
    // The session from before the passkey is not fresh.
    const fresh = browser(linnet, cookieIn(await signIn(linnet, device)))
    const changed = await fresh.call('PATCH', path, { signsInAlone: false })
    expect(changed.body.data).toMatchObject({ name: 'Passkey 1', signsInAlone: false })
    linnet.at('2026-11-20T12:02:00Z')
    expect((await signIn(linnet, device)).body.code).toBe('wrong_answer')
    const asked = await browser(linnet).signIn()
    expect(asked.body.step.question.kind).toBe('passkey')
    const answer = device.use(asked.body.step.question.data.options)
    const sent = { ticket: asked.body.ticket, answer }
    expect((await browser(linnet).call('POST', '/session/step', sent)).status).toBe(201)
  })

  it('is forgotten by a second factor that was reset', async () => {
    const { linnet, device } = await start()
    await linnet.db.deleteFrom('account_steps').execute()
    expect((await signIn(linnet, device)).body.code).toBe('wrong_answer')
  })

  it('signs in nobody who is suspended', async () => {
    const { linnet, device, id } = await start()
    expect((await linnet.api('POST', `/admin/accounts/${id}/suspend`, {})).status).toBeLessThan(300)
    expect((await signIn(linnet, device)).body.code).toBe('account_suspended')
  })
})

describe('a passkey that its device does not verify', () => {
  it('is a second step alone', async () => {
    const { linnet, own, device } = await start({ isUnverified: true })
    expect((await list(own))[0]).toMatchObject({ signsInAlone: false })
    expect((await signIn(linnet, device)).body.code).toBe('wrong_answer')
  })
})

describe('a session that a passkey opened', () => {
  it('is asked for no password, and for the passkey again after ten minutes', async () => {
    const { linnet, device, id } = await start()
    const session = cookieIn(await signIn(linnet, device))
    const own = browser(linnet, session)
    expect((await own.call('GET', '/session')).body.data.asksPassword).toBe(false)
    const password = { newPassword: 'difference engine no 2' }
    linnet.at('2026-11-20T12:20:00Z')
    const deleteIt = () => own.call('DELETE', '/profile', {})
    expect((await deleteIt()).body.code).toBe('fresh_sign_in_required')
    const changed = await own.call('PATCH', '/profile/password', password)
    expect(changed.body.code).toBe('fresh_sign_in_required')
    expect((await own.call('POST', '/session/proof', {})).body.code).toBe('fresh_sign_in_required')
    const { ticket, options } = await askFirst(linnet)
    const proof = { ticket, answer: device.use(options) }
    expect((await own.call('POST', '/session/proof', proof)).status).toBe(201)
    expect((await deleteIt()).status).toBe(204)
    expect((await linnet.api('GET', `/admin/accounts/${id}`)).status).toBe(404)
  })

  it('is not proven by the passkey of somebody else', async () => {
    const { linnet, device } = await start()
    await linnet.api('POST', '/admin/accounts', { ...bob, email: 'grace@example.org' })
    const grace = { email: 'grace@example.org', password: bob.password }
    const session = cookieIn(await browser(linnet).call('POST', '/session', grace))
    const { ticket, options } = await askFirst(linnet)
    const sent = { ticket, answer: device.use(options) }
    const proven = await browser(linnet, session).call('POST', '/session/proof', sent)
    expect([proven.status, proven.body.code]).toEqual([403, 'other_account'])
  })
})

describe('where passwords are off', () => {
  const elsewhere = definePlugin({
    feature: 'acme.elsewhere',
    about: 'Lets nobody in by password.',
    unstable: { passwords: () => 'nobody' },
  })

  it('a passkey alone signs nobody in, either', async () => {
    const { linnet, device } = await start()
    const { ticket, options } = await askFirst(linnet)
    const other = await linnet.restart([plugin, elsewhere])
    other.at('2026-11-20T12:01:00Z')
    const { firstSteps } = (await browser(other).call('GET', '/session')).body.data
    expect(firstSteps).toEqual([])
    const sent = { ticket, answer: device.use(options) }
    const refused = await browser(other).call('POST', '/session/step', sent)
    expect([refused.status, refused.body.code]).toEqual([403, 'passwords_off'])
  })
})
