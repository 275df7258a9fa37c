import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { conformance } from 'linnet/conformance'
import { boot, type Harness } from 'linnet/harness'
import plugin, { codeAt, fromBase32 } from './second-factor.js'

const who = { email: 'bob@example.org', password: 'analytical engine' }

/** A browser with Bob signed in, or with nobody. */
function browser(linnet: Harness, cookie = '') {
  const call = (method: string, path: string, body?: unknown) =>
    linnet.api(method, path, body, { cookie })
  return { call, signIn: () => call('POST', '/session', who) }
}

const cookieIn = ({ headers }: { headers: Readonly<Record<string, unknown>> }) =>
  String(headers['set-cookie']).split(';')[0] ?? ''

const at = (secret: string, time: string) =>
  codeAt(fromBase32(secret), Math.floor(Date.parse(time) / 30_000))

const noon = '2026-11-20T12:00:00Z'

/** Linnet with Bob, who is signed in and has a secret. */
async function start(t: TestContext) {
  const linnet = await boot(plugin, { at: noon })
  t.after(() => linnet.stop())
  await linnet.api('POST', '/admin/accounts', who)
  const bob = browser(linnet, cookieIn(await browser(linnet).signIn()))
  const { secret, uri } = (await bob.call('POST', '/second-factor')).body.data
  return { linnet, bob, secret, uri }
}

/** The same, with the second factor on. */
async function startOn(t: TestContext) {
  const started = await start(t)
  const code = at(started.secret, noon)
  const { body } = await started.bob.call('POST', '/second-factor/confirm', { code })
  const recoveryCodes: readonly string[] = body.data.recoveryCodes
  return { ...started, recoveryCodes }
}

/** Signs in with the password, and answers. */
async function answer(linnet: Harness, code: string) {
  const asked = await browser(linnet).signIn()
  assert.equal(asked.body.code, 'second_step_required')
  const { ticket } = asked.body
  return browser(linnet).call('POST', '/session/step', { ticket, answer: code })
}

it('makes the codes of RFC 6238, appendix B', () => {
  const secret = Buffer.from('12345678901234567890')
  const codes = [59, 1111111109, 1111111111, 1234567890, 2000000000, 20000000000].map(seconds =>
    codeAt(secret, Math.floor(seconds / 30)),
  )
  assert.deepEqual(codes, ['287082', '081804', '050471', '005924', '279037', '353130'])
})

it('asks nothing until a code of the app was shown', async t => {
  const { linnet, bob, secret, uri } = await start(t)
  assert.equal(uri, `otpauth://totp/Linnet?secret=${secret}&issuer=Linnet`)
  assert.equal((await browser(linnet).signIn()).status, 201)
  const wrong = await bob.call('POST', '/second-factor/confirm', { code: '000000' })
  assert.equal(wrong.status, 422)
  assert.equal((await browser(linnet).signIn()).status, 201)
})

it('asks for a code from then on, and takes each once, of this half minute or one beside it', async t => {
  const { linnet, secret } = await startOn(t)
  const used = await answer(linnet, at(secret, noon))
  assert.deepEqual([used.status, used.body.code], [422, 'wrong_answer'])
  linnet.at('2026-11-20T12:10:00Z')
  for (const [time, status] of [
    ['2026-11-20T12:09:00Z', 422],
    ['2026-11-20T12:09:30Z', 201],
    ['2026-11-20T12:09:30Z', 422],
    ['2026-11-20T12:11:00Z', 422],
    ['2026-11-20T12:10:30Z', 201],
    ['2026-11-20T12:10:00Z', 422],
  ] as const) {
    assert.equal((await answer(linnet, at(secret, time))).status, status, time)
  }
})

it('takes each of ten recovery codes once, as they are typed', async t => {
  const { linnet, bob, recoveryCodes } = await startOn(t)
  assert.equal(new Set(recoveryCodes).size, 10)
  const [first = '', second = ''] = recoveryCodes
  assert.match(first, /^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)
  assert.equal((await answer(linnet, first)).status, 201)
  assert.equal((await answer(linnet, first)).status, 422)
  assert.equal((await answer(linnet, second.toLowerCase().replaceAll('-', ' '))).status, 201)
  const { data } = (await bob.call('GET', '/second-factor')).body
  assert.deepEqual(data, { isOn: true, isBegun: false, recoveryCodesLeft: 8 })
  const stored = await linnet.db
    .selectFrom('custom_second_factor' as never)
    .selectAll()
    .execute()
  assert.equal(JSON.stringify(stored).includes(first.replaceAll('-', '')), false)
})

it('is switched off only by who has just answered, and not by a token', async t => {
  const { linnet, bob, secret } = await startOn(t)
  linnet.at('2026-11-20T12:11:00Z')
  const refused = await bob.call('DELETE', '/second-factor')
  assert.equal(refused.body.code, 'fresh_sign_in_required')
  const proof = { current_password: who.password }
  const { ticket } = (await bob.call('POST', '/session/proof', proof)).body
  const code = at(secret, '2026-11-20T12:11:00Z')
  const proven = await bob.call('POST', '/session/proof', { ticket, answer: code })
  assert.equal(proven.status, 201)
  assert.equal((await bob.call('DELETE', '/second-factor')).status, 204)
  assert.equal((await browser(linnet).signIn()).status, 201)
})

it('keeps the account closed while it is off', async t => {
  const { linnet, secret } = await startOn(t)
  const off = await linnet.restart([])
  assert.equal((await browser(off).signIn()).body.code, 'second_step_unavailable')
  const on = await off.restart([plugin])
  on.at('2026-11-20T12:01:00Z')
  assert.equal((await answer(on, at(secret, '2026-11-20T12:01:00Z'))).status, 201)
})

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
