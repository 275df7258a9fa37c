import { describe, expect, test } from 'vitest'
import { addAccount, day, minute } from '../../accounts/fixtures.ts'
import { anInstance } from './instance.ts'

async function withAda() {
  const instance = await anInstance()
  const account = await addAccount(instance.db)
  const list = async (options: object) =>
    (await instance.send('GET', '/sessions', options)).body.data
  return { ...instance, account, list }
}

describe('your sessions', () => {
  test('are listed by their times, and the present one is marked', async () => {
    const { account, clock, sessionOf, list } = await withAda()
    await sessionOf(account)
    clock.advance(5 * minute)
    const session = await sessionOf(account)
    expect(await list({ session })).toEqual([
      {
        id: expect.stringMatching(/^ses_[0-9a-f]{24}$/),
        createdAt: '2026-11-20T12:05:00.000Z',
        lastSeenAt: '2026-11-20T12:05:00.000Z',
        isCurrent: true,
      },
      {
        id: expect.stringMatching(/^ses_/),
        createdAt: '2026-11-20T12:00:00.000Z',
        lastSeenAt: '2026-11-20T12:00:00.000Z',
        isCurrent: false,
      },
    ])
  })

  test('that are over are not listed, nor those of others', async () => {
    const { db, account, clock, sessionOf, list } = await withAda()
    await sessionOf(account)
    clock.advance(8 * day)
    await sessionOf(await addAccount(db))
    const session = await sessionOf(account)
    expect(await list({ session })).toMatchObject([{ isCurrent: true }])
  })

  test('end when you say so, each on its own', async () => {
    const { account, clock, sessionOf, send, list } = await withAda()
    const other = await sessionOf(account)
    clock.advance(minute)
    const session = await sessionOf(account)
    const [, { id }] = await list({ session })
    expect((await send('DELETE', `/sessions/${id}`, { session })).status).toBe(204)
    expect((await send('GET', '/profile', { session: other })).status).toBe(401)
    expect((await send('DELETE', `/sessions/${id}`, { session })).status).toBe(404)
    expect(await list({ session })).toHaveLength(1)
  })

  test('are ended by nobody else', async () => {
    const { db, account, sessionOf, send, list } = await withAda()
    const session = await sessionOf(account)
    const [{ id }] = await list({ session })
    const stranger = await sessionOf(await addAccount(db))
    expect((await send('DELETE', `/sessions/${id}`, { session: stranger })).status).toBe(404)
    expect(await list({ session })).toHaveLength(1)
  })

  test('can be seen by a token that allows everything, which is none of them', async () => {
    const { account, sessionOf, tokenOf, list } = await withAda()
    await sessionOf(account)
    expect(await list({ token: await tokenOf(account) })).toMatchObject([{ isCurrent: false }])
  })
})
