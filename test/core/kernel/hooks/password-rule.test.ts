import { describe, expect, test } from 'vitest'
import { makeOneTimeLink } from '../../../../core/accounts/access/one-time-links.ts'
import { findAccountByEmail } from '../../../../core/accounts/accounts.ts'
import { definePlugin, type PasswordRule } from '../../../../core/plugin.ts'
import { browser, codes, email, password, sessionIn, withBob } from './signing-in.ts'

/** A plugin that says who may sign in by password. */
function rule(feature: `acme.${string}`, says: () => PasswordRule) {
  return definePlugin({ feature, about: 'Says who.', unstable: { passwords: says } })
}

async function withRule(...rules: readonly PasswordRule[]) {
  const plugins = rules.map((it, index) => rule(`acme.rule${index}`, () => it))
  return withBob([...plugins, codes])
}

const off = { status: 403, body: { code: 'passwords_off' } }

describe('signing in by password', () => {
  test.each<[readonly PasswordRule[], PasswordRule]>([
    [[], 'everybody'],
    [['everybody'], 'everybody'],
    [['admins', 'everybody'], 'admins'],
    [['admins', 'nobody', 'everybody'], 'nobody'],
  ])('is for those whom the strictest of the plugins lets in: %j', async (rules, strictest) => {
    const { linnet, account } = await withRule(...rules)
    const shown = await browser(linnet).send('GET', '/session')
    expect(shown.body.data.passwords).toBe(strictest)
    const asBob = await browser(linnet).signIn()
    if (strictest === 'everybody') expect(asBob.status).toBe(201)
    else expect(asBob).toMatchObject(off)
    expect(sessionIn(asBob) === '').toBe(strictest !== 'everybody')
    const admins = linnet.db.updateTable('accounts').set({ is_admin: 1 })
    await admins.where('id', '=', account.id).execute()
    const asAdmin = await browser(linnet).signIn()
    if (strictest === 'nobody') expect(asAdmin).toMatchObject(off)
    else expect(asAdmin.status).toBe(201)
  })

  test('is refused to nobody who does not know it in other words than before', async () => {
    const { linnet } = await withRule('nobody')
    const wrong = { email, password: 'difference engine' }
    const answer = await browser(linnet).send('POST', '/session', wrong)
    expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
  })

  test.each<[string, () => PasswordRule]>([
    [
      'throws',
      () => {
        throw new Error('boom')
      },
    ],
    ['says nonsense', () => 'some' as PasswordRule],
    ['says it too late', () => Promise.resolve('everybody') as unknown as PasswordRule],
  ])('is for nobody while the plugin %s', async (_, says) => {
    const { linnet } = await withBob([rule('acme.rule', says)])
    expect(await browser(linnet).signIn()).toMatchObject(off)
  })

  test('is for everybody again once the plugin is off', async () => {
    const { linnet } = await withRule('nobody')
    expect((await browser(await linnet.restart([codes])).signIn()).status).toBe(201)
  })
})

describe('an account that may not sign in by password', () => {
  test('is let in by a one-time link, such as of the command on the server', async () => {
    const { linnet, account } = await withRule('nobody')
    const bob = await findAccountByEmail(linnet.db, account.email)
    if (!bob) throw new Error('There is no Bob.')
    const { secret } = await makeOneTimeLink(linnet.db, bob, () => new Date('2026-11-20T12:00:00Z'))
    const used = { secret, password: 'another good password' }
    const answer = await browser(linnet).send('POST', '/one-time-link/use', used)
    expect(answer.status).toBe(201)
    const { status } = await browser(linnet, sessionIn(answer)).send('GET', '/profile')
    expect(status).toBe(200)
    expect((await browser(linnet).send('POST', '/one-time-link/use', used)).status).toBe(403)
  })

  test('proves by a fresh sign-in who it is, in place of the password', async () => {
    const plugins = [rule('acme.rule', () => now), codes]
    let now: PasswordRule = 'everybody'
    const { linnet } = await withBob(plugins)
    const session = sessionIn(await browser(linnet).signIn())
    const { send } = browser(linnet, session)
    const change = (current_password: string | null) =>
      send('PATCH', '/profile/password', { current_password, new_password: 'a third password' })
    expect((await change(null)).body.code).toBe('wrong_password')
    now = 'nobody'
    linnet.at('2026-11-20T12:20:00Z')
    expect((await change(password)).body.code).toBe('fresh_sign_in_required')
    const proof = await send('POST', '/session/proof', { current_password: password })
    expect(proof.body.code).toBe('fresh_sign_in_required')
    linnet.at('2026-11-20T12:05:00Z')
    expect((await change(null)).status).toBe(204)
  })

  test('goes on with its sessions and API tokens', async () => {
    let now: PasswordRule = 'everybody'
    const { linnet } = await withBob([rule('acme.rule', () => now), codes])
    const session = sessionIn(await browser(linnet).signIn())
    now = 'nobody'
    expect((await browser(linnet, session).send('GET', '/profile')).status).toBe(200)
  })
})
