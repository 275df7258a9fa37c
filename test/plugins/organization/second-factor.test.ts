import { describe, expect, it, onTestFinished } from 'vitest'
import plugin from '../../../plugins/organization/second-factor.ts'
import { codeOf } from '../../authenticator-app.ts'
import { boot, type Harness } from '../../harness.ts'

const bob = { email: 'bob@example.org', password: 'analytical engine' }
const noon = '2026-11-20T12:00:00Z'
/** A browser with somebody signed in, or with nobody. */
function browser(linnet: Harness, cookie = '') {
  const call = (method: string, path: string, body?: unknown) =>
    linnet.api(method, path, body, { cookie })
  return { call, signIn: (who: object = bob) => call('POST', '/session', who) }
}

const cookieIn = ({ headers }: { headers: Readonly<Record<string, unknown>> }) =>
  String(headers['set-cookie']).split(';')[0] ?? ''

/** Linnet with Bob, who is signed in. */
async function start() {
  const linnet = await boot(plugin, { at: noon })
  onTestFinished(() => linnet.stop())
  await linnet.api('POST', '/admin/accounts', bob)
  const own = browser(linnet, cookieIn(await browser(linnet).signIn()))
  return { linnet, own }
}

/** The same, with the second factor on. */
async function startOn() {
  const { linnet, own } = await start()
  const { secret } = (await own.call('POST', '/second-factor')).body.data
  const code = codeOf(secret, new Date(noon))
  const { body } = await own.call('POST', '/second-factor/confirm', { code })
  const recoveryCodes: readonly string[] = body.data.recoveryCodes
  return { linnet, own, secret, recoveryCodes }
}

/** Signs in with the password, and answers. */
async function answer(linnet: Harness, code: string) {
  const asked = await browser(linnet).signIn()
  expect(asked.body.code).toBe('second_step_required')
  return browser(linnet).call('POST', '/session/step', { ticket: asked.body.ticket, answer: code })
}

const want = (linnet: Harness, wantedOf: string) =>
  linnet.api('PATCH', '/admin/plugins/organization.secondFactor', { settings: { wantedOf } })

describe('the second factor', () => {
  it('asks nothing until a code of the app was shown', async () => {
    const { linnet, own } = await start()
    const { secret, uri, picture } = (await own.call('POST', '/second-factor')).body.data
    expect(uri).toBe(`otpauth://totp/Linnet:bob%40example.org?secret=${secret}&issuer=Linnet`)
    expect(picture).toMatch(/^data:image\/svg\+xml;base64,/)
    expect((await browser(linnet).signIn()).status).toBe(201)
    const wrong = await own.call('POST', '/second-factor/confirm', { code: '000000' })
    expect(wrong.status).toBe(422)
    expect((await browser(linnet).signIn()).status).toBe(201)
  })

  it('asks for a code from then on, and takes each once, of this half minute or one beside it', async () => {
    const { linnet, secret } = await startOn()
    const used = await answer(linnet, codeOf(secret, new Date(noon)))
    expect([used.status, used.body.code]).toEqual([422, 'wrong_answer'])
    linnet.at('2026-11-20T12:10:00Z')
    for (const [time, status] of [
      ['2026-11-20T12:09:00Z', 422],
      ['2026-11-20T12:09:30Z', 201],
      ['2026-11-20T12:09:30Z', 422],
      ['2026-11-20T12:11:00Z', 422],
      ['2026-11-20T12:10:30Z', 201],
      ['2026-11-20T12:10:00Z', 422],
    ] as const) {
      expect([time, (await answer(linnet, codeOf(secret, new Date(time)))).status]).toEqual([
        time,
        status,
      ])
    }
  })

  it('takes one of two answers with the same code at the same moment', async () => {
    const { linnet, secret } = await startOn()
    const later = '2026-11-20T12:01:00Z'
    linnet.at(later)
    const both = await Promise.all(
      [1, 2].map(() => answer(linnet, codeOf(secret, new Date(later)))),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([201, 422])
  })

  it('takes each of ten recovery codes once, as they are typed', async () => {
    const { linnet, own, recoveryCodes } = await startOn()
    expect(new Set(recoveryCodes).size).toBe(10)
    const [first = '', second = ''] = recoveryCodes
    expect(first).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)
    expect((await answer(linnet, first)).status).toBe(201)
    expect((await answer(linnet, first)).status).toBe(422)
    expect((await answer(linnet, second.toLowerCase().replaceAll('-', ' '))).status).toBe(201)
    const { data } = (await own.call('GET', '/second-factor')).body
    expect(data).toEqual({
      ...{ isOn: true, hasApp: true, isBegun: false, passkeys: 0 },
      recoveryCodesLeft: 8,
    })
  })

  it('uses up no recovery code for a question that was answered already', async () => {
    const { linnet, own, recoveryCodes } = await startOn()
    const { ticket } = (await browser(linnet).signIn()).body
    const say = (answer: string | undefined) =>
      browser(linnet).call('POST', '/session/step', { ticket, answer })
    expect((await say(recoveryCodes[0])).status).toBe(201)
    expect(await say(recoveryCodes[1])).toMatchObject({
      ...{ status: 422, body: { code: 'invalid_ticket' } },
    })
    expect((await own.call('GET', '/second-factor')).body.data.recoveryCodesLeft).toBe(9)
    expect((await answer(linnet, `${recoveryCodes[1]}`)).status).toBe(201)
  })

  it('keeps neither the secret nor recovery codes as they are', async () => {
    const { linnet, secret, recoveryCodes } = await startOn()
    const stored = await linnet.db
      .selectFrom('organization_second_factor' as never)
      .selectAll()
      .execute()
    const text = JSON.stringify(stored)
    expect(text.includes(secret)).toBe(false)
    expect(text.includes(`${recoveryCodes[0]}`.replaceAll('-', ''))).toBe(false)
  })

  it('gives other recovery codes, after which the former do nothing', async () => {
    const { linnet, secret, recoveryCodes } = await startOn()
    linnet.at('2026-11-20T12:01:00Z')
    const signedIn = await answer(linnet, codeOf(secret, new Date('2026-11-20T12:01:00Z')))
    const own = browser(linnet, cookieIn(signedIn))
    const { body } = await own.call('POST', '/second-factor/recovery-codes')
    expect((await answer(linnet, `${recoveryCodes[0]}`)).status).toBe(422)
    expect((await answer(linnet, body.data.recoveryCodes[0])).status).toBe(201)
    expect((await own.call('DELETE', '/second-factor')).status).toBe(204)
    const off = await own.call('POST', '/second-factor/recovery-codes')
    expect([off.status, off.body.code]).toEqual([409, 'second_factor_off'])
  })

  it('is switched off only by who has just answered', async () => {
    const { linnet, own, secret } = await startOn()
    linnet.at('2026-11-20T12:11:00Z')
    const refused = await own.call('DELETE', '/second-factor')
    expect(refused.body.code).toBe('fresh_sign_in_required')
    const proof = { current_password: bob.password }
    const { ticket } = (await own.call('POST', '/session/proof', proof)).body
    const code = codeOf(secret, new Date('2026-11-20T12:11:00Z'))
    const proven = await own.call('POST', '/session/proof', { ticket, answer: code })
    expect(proven.status).toBe(201)
    expect((await own.call('DELETE', '/second-factor')).status).toBe(204)
    expect((await browser(linnet).signIn()).status).toBe(201)
  })

  it('keeps the account closed while it is off', async () => {
    const { linnet, secret } = await startOn()
    const off = await linnet.restart([])
    expect((await browser(off).signIn()).body.code).toBe('second_step_unavailable')
    const on = await off.restart([plugin])
    on.at('2026-11-20T12:01:00Z')
    expect((await answer(on, codeOf(secret, new Date('2026-11-20T12:01:00Z')))).status).toBe(201)
  })
})

describe('a passkey', () => {
  it('is asked of a browser with a challenge of this server, for this account', async () => {
    const { own } = await start()
    const options = JSON.parse(
      (await own.call('POST', '/second-factor/passkeys')).body.data.options,
    )
    expect(options).toMatchObject({
      rp: { id: 'go.example.org', name: 'Linnet' },
      user: { name: bob.email },
      attestation: 'none',
    })
    const again = JSON.parse((await own.call('POST', '/second-factor/passkeys')).body.data.options)
    expect(again.challenge).not.toBe(options.challenge)
  })

  it.each([
    '',
    '{}',
    '[]',
    'null',
    '"a"',
    '{"id":"a","rawId":"a","type":"public-key","response":{}}',
  ])('that is %s is none, and turns nothing on', async passkey => {
    const { linnet, own } = await start()
    const refused = await own.call('POST', '/second-factor/passkeys/confirm', { passkey })
    expect([refused.status, refused.body.errors?.[0]?.field]).toEqual([422, 'passkey'])
    expect((await browser(linnet).signIn()).status).toBe(201)
  })
})

describe('a passkey that was made for another host', () => {
  const passkeys = 'organization_second_factor_passkeys' as 'meta'

  async function bobIn(linnet: Harness): Promise<number> {
    const { id } = await linnet.db
      .selectFrom('accounts')
      .select('id')
      .where('email', '=', bob.email)
      .executeTakeFirstOrThrow()
    return id
  }

  /** Gives Bob passkeys that were made for these hosts. */
  async function keep(linnet: Harness, hosts: readonly string[]) {
    const row = { account_id: await bobIn(linnet), public_key: '', counter: 0, transports: '[]' }
    const rows = hosts.map((host, index) => ({
      ...row,
      host,
      id: `${host.replaceAll('.', '')}-${index}`,
    }))
    const values = rows.map(it => ({ ...it, created_at: 0, used_at: 0 })) as never
    await linnet.db.insertInto(passkeys).values(values).execute()
  }

  const found = async (linnet: Harness) =>
    (await linnet.api('GET', '/admin/doctor')).body.data.filter(
      ({ name }: { name: string }) => name === plugin.feature,
    )

  it('is one that the doctor warns of', async () => {
    const { linnet } = await startOn()
    expect(await found(linnet)).toEqual([])
    await keep(linnet, ['go.example.org', '', 'old.example.org', 'old.example.org'])
    expect(await found(linnet)).toEqual([
      {
        ...{ name: 'organization.secondFactor', status: 'warning' },
        says: 'Passkeys that were made at old.example.org do not work at go.example.org: 2.',
        remedy: expect.stringContaining('a recovery code'),
      },
    ])
  })

  it('is not asked for', async () => {
    const { linnet } = await startOn()
    const kindAsked = async () => (await browser(linnet).signIn()).body.step.question.kind
    await keep(linnet, ['old.example.org'])
    expect(await kindAsked()).toBe('code')
    await keep(linnet, ['go.example.org'])
    expect(await kindAsked()).toBe('passkey')
  })

  it('is listed, named and deleted, each by itself, and the last one leaves the password alone', async () => {
    const { linnet, own } = await start()
    const list = async () => (await own.call('GET', '/second-factor/passkeys')).body.data
    await keep(linnet, ['one.example.org', 'two.example.org'])
    // What is left of a second factor that ended is nobody's way in.
    expect(await list()).toEqual([])
    await linnet.db
      .insertInto('account_steps')
      .values({ account_id: await bobIn(linnet), feature: plugin.feature, created_at: 0 })
      .execute()
    await linnet.db
      .updateTable(passkeys)
      .set({ used_at: Date.parse('2026-11-19T08:00:00Z') } as never)
      .where('id' as never, '=', 'twoexampleorg-1' as never)
      .execute()
    const [one, two] = await list()
    expect([one, two]).toMatchObject([
      { name: 'Passkey', createdAt: '1970-01-01T00:00:00.000Z', lastUsedAt: null },
      { lastUsedAt: '2026-11-19T08:00:00.000Z' },
    ])
    const path = `/second-factor/passkeys/${one.id}`
    expect((await own.call('PATCH', path, { name: 'Phone' })).body.data.name).toBe('Phone')
    expect((await own.call('DELETE', path)).status).toBe(204)
    expect((await own.call('DELETE', path)).status).toBe(404)
    expect(await list()).toEqual([two])
    expect((await own.call('GET', '/second-factor')).body.data.isOn).toBe(true)
    expect((await own.call('DELETE', `/second-factor/passkeys/${two.id}`)).status).toBe(204)
    expect((await own.call('GET', '/second-factor')).body.data.isOn).toBe(false)
  })

  it('is tried as before if nobody noted its host', async () => {
    const { linnet } = await startOn()
    await keep(linnet, [''])
    const { question } = (await browser(linnet).signIn()).body.step
    expect(JSON.parse(question.data.options).allowCredentials).toMatchObject([{ id: '-0' }])
  })
})

describe('where a second factor is wanted', () => {
  it('of everybody, who has none sets it up after the password', async () => {
    const { linnet, own } = await start()
    expect((await want(linnet, 'everybody')).status).toBe(200)
    const { body } = await browser(linnet).signIn()
    expect(body.step.question).toMatchObject({ kind: 'code', copy: expect.any(String) })
    expect(body.step.question.picture).toMatch(/^data:image\/svg\+xml;base64,/)
    const say = (code: string) =>
      browser(linnet).call('POST', '/session/step', { ticket: body.ticket, answer: code })
    expect((await say('000000')).status).toBe(422)
    const signedIn = await say(codeOf(body.step.question.copy, new Date(noon)))
    expect(signedIn.status).toBe(201)
    const { data } = (await own.call('GET', '/second-factor')).body
    expect(data).toEqual({
      ...{ isOn: true, hasApp: true, isBegun: false, passkeys: 0 },
      recoveryCodesLeft: 0,
    })
    const asked = await browser(linnet).signIn()
    expect(asked.body.step.question).not.toHaveProperty('copy')
  })

  it('is not set up by the secret that somebody was shown before', async () => {
    const { linnet } = await start()
    await want(linnet, 'everybody')
    const first = (await browser(linnet).signIn()).body
    const second = (await browser(linnet).signIn()).body
    expect(second.step.question.copy).not.toBe(first.step.question.copy)
    const said = { ticket: second.ticket, answer: codeOf(first.step.question.copy, new Date(noon)) }
    expect((await browser(linnet).call('POST', '/session/step', said)).status).toBe(422)
  })

  it('of admins, others sign in with the password alone', async () => {
    const { linnet } = await start()
    const eve = { email: 'eve@example.org', password: bob.password }
    await linnet.api('POST', '/admin/accounts', { ...eve, is_admin: true })
    await want(linnet, 'admins')
    expect((await browser(linnet).signIn()).status).toBe(201)
    expect((await browser(linnet).signIn(eve)).body.code).toBe('second_step_required')
    await want(linnet, 'nobody')
    expect((await browser(linnet).signIn(eve)).status).toBe(201)
  })
})
