import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Context, definePlugin } from '../../../../core/plugin.ts'
import { boot, type Harness } from '../../../harness.ts'

let context: Context
const caller = definePlugin({
  feature: 'test.caller',
  about: 'Call the API.',
  setup(given) {
    context = given
  },
})

let linnet: Harness
beforeEach(async () => {
  linnet = await boot([caller, 'organization.tags'])
})
afterEach(() => linnet.stop())

it('a plugin calls the API in the name of an account, with the checks and limits of that', async () => {
  const { rowId } = linnet.account
  const call = context.unstable.callApi
  const made = await call(rowId, 'POST', '/tags', { name: 'Spring' })
  expect(made).toMatchObject({ status: 201, body: { data: { name: 'Spring' } } })
  expect((await linnet.api('GET', '/tags')).body.data).toHaveLength(1)
  expect(await call(rowId, 'POST', '/tags', { name: 'Spring' })).toMatchObject({
    status: 409,
    body: { code: 'name_taken' },
  })
  expect((await call(rowId, 'GET', '/tags?search=spr')).body).toMatchObject({
    data: [{ name: 'Spring' }],
  })
  // An account is no admin there, whoever has it, and nobody gave its password.
  expect((await call(rowId, 'GET', '/admin/accounts')).status).toBe(403)
  expect((await call(rowId, 'GET', '/nothing')).status).toBe(404)
  await expect(call(rowId + 1, 'GET', '/tags')).rejects.toThrow('This account does not exist.')
})

it('an account is found by its e-mail address', async () => {
  const { accounts } = context.unstable
  expect(await accounts.byEmail('Ada@Example.org')).toMatchObject({
    accountId: linnet.account.rowId,
    email: 'ada@example.org',
  })
  expect(await accounts.byEmail('eve@example.org')).toBeUndefined()
})
