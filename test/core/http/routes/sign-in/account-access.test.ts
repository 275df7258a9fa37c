import { expect, onTestFinished, test } from 'vitest'
import { openSession } from '../../../../../core/accounts/access/sessions/sessions.ts'
import { createTokens } from '../../../../../core/accounts/access/tokens.ts'
import { publicId } from '../../../../../core/lib/public-id.ts'
import { boot } from '../../../../harness.ts'
import { addAccount } from '../../../accounts/add-account.ts'

const at = new Date('2026-11-20T12:00:00Z')
const now = () => at

/** Bob with a session and an API token. */
async function withBob() {
  const linnet = await boot(['developer.apiKeys'])
  onTestFinished(() => linnet.stop())
  const { db } = linnet
  const bob = await addAccount(db, { email: 'bob@example.org' })
  const session = `__Host-linnet=${await openSession(db, bob.id, now)}`
  const maker = {
    ...{ accountId: bob.id, account: bob, isAdmin: false, scopes: ['*'] },
    ...{ credential: 'session' as const, expiresAt: null },
  }
  const made = await createTokens({ db, now, scopes: () => ['links:read'] }).create(maker, {
    ...{ name: 'Website', scopes: ['links:read'], expiresAt: null },
  })
  if (!('token' in made)) throw new Error(JSON.stringify(made))
  const asBob = async () => [
    (await linnet.api('GET', '/profile', undefined, { cookie: session })).status,
    (await linnet.api('GET', '/links', undefined, { authorization: `Bearer ${made.token}` }))
      .status,
  ]
  return { linnet, asBob, session, path: `/admin/accounts/${publicId('acc', bob.id)}` }
}

test('admins see the sessions and API tokens of an account, and end each', async () => {
  const { linnet, asBob, path } = await withBob()
  expect(await asBob()).toEqual([200, 200])
  const sessions = (await linnet.api('GET', `${path}/sessions`)).body.data
  expect(sessions).toMatchObject([{ methods: ['pwd'], createdAt: at.toISOString() }])
  const tokens = (await linnet.api('GET', `${path}/api-tokens`)).body.data
  expect(tokens).toMatchObject([{ name: 'Website', scopes: ['links:read'] }])
  expect(JSON.stringify(tokens)).not.toContain('hash')

  const end = (what: string) => linnet.api('DELETE', `${path}/${what}`)
  expect((await end(`sessions/${sessions[0].id}`)).status).toBe(204)
  expect(await asBob()).toEqual([401, 200])
  expect((await end(`api-tokens/${tokens[0].id}`)).status).toBe(204)
  expect(await asBob()).toEqual([401, 401])
  for (const gone of [`sessions/${sessions[0].id}`, `api-tokens/${tokens[0].id}`, 'sessions/x']) {
    expect((await end(gone)).status).toBe(404)
  }
  expect((await linnet.api('GET', '/admin/accounts/acc_x/sessions')).status).toBe(404)
  expect((await linnet.api('GET', '/admin/accounts/acc_x/api-tokens')).status).toBe(404)
})

test('nobody else sees or ends them, and no session or token by the path of another account', async () => {
  const { linnet, asBob, session, path } = await withBob()
  const own = (await linnet.api('GET', `/admin/accounts/${linnet.account.id}/sessions`)).body.data
  expect((await linnet.api('DELETE', `${path}/sessions/${own[0].id}`)).status).toBe(404)
  const asOther = (method: string, what: string) =>
    linnet.api(method, `${path}/${what}`, undefined, { cookie: session })
  expect((await asOther('GET', 'sessions')).status).toBe(403)
  expect((await asOther('GET', 'api-tokens')).status).toBe(403)
  expect((await asOther('DELETE', `sessions/${own[0].id}`)).status).toBe(403)
  expect(await asBob()).toEqual([200, 200])
})
