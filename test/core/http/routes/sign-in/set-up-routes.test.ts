import { expect, test } from 'vitest'
import { countAccounts } from '../../../../../core/accounts/accounts.ts'
import { anInstance } from '../instance.ts'

const ada = { email: 'Ada@Example.org', password: 'analytical engine', full_name: 'Ada Lovelace' }

async function aNewInstance() {
  const instance = await anInstance()
  const code = await instance.setUp.oneTimeCode()
  const setUp = (body: object) => instance.send('POST', '/setup', { body })
  return { ...instance, code, setUp }
}

test('the code makes the first admin, signed in', async () => {
  const { code, setUp, send } = await aNewInstance()
  const { status, headers, body } = await setUp({ code, ...ada })
  expect(status).toBe(201)
  expect(body.data).toMatchObject({
    email: 'ada@example.org',
    fullName: 'Ada Lovelace',
    isAdmin: true,
    hasPassword: true,
  })
  const session = /^linnet=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? ''
  expect(await send('GET', '/admin/accounts', { session })).toMatchObject({ status: 200 })
})

test('the code makes an admin once', async () => {
  const { code, setUp, db } = await aNewInstance()
  await setUp({ code, ...ada })
  const { status, headers } = await setUp({ code, ...ada, email: 'eve@example.org' })
  expect([status, headers.has('set-cookie')]).toEqual([404, false])
  expect(await countAccounts(db)).toBe(1)
})

test('all that is wrong with a set-up is said at once', async () => {
  const { setUp } = await aNewInstance()
  const { status, body } = await setUp({ email: 'ada', password: 'short', full_name: '' })
  expect(status).toBe(422)
  expect(body.errors.map(({ field }: { field: string }) => field)).toEqual([
    'code',
    'email',
    'password',
    'full_name',
  ])
})

test('the code cannot be guessed at leisure', async () => {
  const { code, setUp, db } = await aNewInstance()
  for (let tries = 0; tries < 10; tries += 1) {
    expect(await setUp({ code: `guess ${tries}`, ...ada })).toMatchObject({ status: 403 })
  }
  expect(await setUp({ code, ...ada })).toMatchObject({ status: 429 })
  expect(await countAccounts(db)).toBe(0)
})

test('guesses of the code are counted for a whole /64 of IPv6, which one client has to itself', async () => {
  const { code, setUp, client } = await aNewInstance()
  for (let tries = 0; tries < 10; tries += 1) {
    client.ip = `2001:db8:0:1::${tries}`
    await setUp({ code: 'guess', ...ada })
  }
  client.ip = '2001:db8:0:1:ffff::1'
  expect(await setUp({ code, ...ada })).toMatchObject({ status: 429 })
  client.ip = '2001:db8:0:2::1'
  expect(await setUp({ code, ...ada })).toMatchObject({ status: 201 })
})
