import { describe, expect, test } from 'vitest'
import { addAccount } from '../../accounts/fixtures.ts'
import { anInstance } from './instance.ts'

async function withAdmin() {
  const instance = await anInstance()
  const session = await instance.sessionOf(await addAccount(instance.db, { isAdmin: true }))
  const send = (method: string, path: string, body?: unknown) =>
    instance.send(method, `/admin/${path}`, { session, body })
  return { ...instance, send, sendAnywhere: instance.send }
}

describe('switches', () => {
  test('turn the API off for every token at once, and an admin turns it on again', async () => {
    const { send, sendAnywhere, db, tokenOf } = await withAdmin()
    const token = await tokenOf(await addAccount(db))
    const read = () => sendAnywhere('GET', '/profile', { token })
    expect(await read()).toMatchObject({ status: 200 })

    const off = await send('PATCH', 'features', { api_access_enabled: false })
    expect(off.body.data).toMatchObject({ apiAccessEnabled: false, linkCreationEnabled: true })
    expect((await send('GET', 'features')).body).toEqual(off.body)
    expect(await read()).toMatchObject({ status: 403, body: { code: 'feature_disabled' } })

    await send('PATCH', 'features', { apiAccessEnabled: true })
    expect(await read()).toMatchObject({ status: 200 })
  })

  test.each([
    [{ billingEnabled: true }, 'billingEnabled'],
    [{ apiAccessEnabled: 'no' }, 'apiAccessEnabled'],
    [{ everythingEnabled: true }, 'everythingEnabled'],
  ])('%j is 422', async (change, field) => {
    const { send } = await withAdmin()
    expect(await send('PATCH', 'features', change)).toMatchObject({
      status: 422,
      body: { errors: [{ field }] },
    })
  })
})
