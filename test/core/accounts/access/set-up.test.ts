import { describe, expect, test } from 'vitest'
import { createCredentials } from '../../../../core/accounts/access/credentials.ts'
import {
  createSetUp,
  ensureAdmin,
  isSetUp,
  keepBootstrapToken,
} from '../../../../core/accounts/access/set-up.ts'
import { createSignIn } from '../../../../core/accounts/access/sign-in.ts'
import { countAccounts } from '../../../../core/accounts/accounts.ts'
import { listAccounts } from '../../../../core/accounts/list-accounts.ts'
import { isRefusal } from '../../../../core/plugin/outcomes.ts'
import {
  addAccount,
  openTestDb,
  patientGuesses,
  rememberingLog,
  stoppedClock,
  testEntitlements,
} from '../fixtures.ts'

const { now } = stoppedClock()
const ada = { email: 'ada@example.org', password: 'analytical engine', fullName: 'Ada' }
const checkGuess = patientGuesses()
const client = '192.0.2.1'
const everybody = { offset: 0, limit: 100 }

async function aNewInstance() {
  const db = await openTestDb()
  const setUp = createSetUp({ db, now, checkGuess })
  const code = (await setUp.oneTimeCode()) ?? ''
  return { db, setUp, code }
}

describe('by setup code', () => {
  test('the first admin is made, with every right', async () => {
    const { db, setUp, code } = await aNewInstance()
    expect(await isSetUp(db)).toBe(false)
    expect(await setUp.setUpFirstAdmin(code, ada, client)).toMatchObject({
      email: ada.email,
      fullName: 'Ada',
      isAdmin: true,
      plan: 'unlimited',
    })
    expect(await createSignIn(db, checkGuess)(ada.email, ada.password, client)).toMatchObject({
      email: ada.email,
    })
  })

  test('the code cannot be guessed, and is another one after a restart', async () => {
    const { db, code } = await aNewInstance()
    expect(code).toMatch(/^[\w-]{43}$/)
    expect(await createSetUp({ db, now, checkGuess }).oneTimeCode()).not.toBe(code)
  })

  test('another code makes nobody', async () => {
    const { db, setUp, code } = await aNewInstance()
    for (const wrong of ['', code.slice(1), `${code}x`, code.toLowerCase()]) {
      expect(await setUp.setUpFirstAdmin(wrong, ada, client)).toMatchObject({
        code: 'invalid_code',
        status: 403,
      })
    }
    expect(await isSetUp(db)).toBe(false)
  })

  test('afterwards there is no code and nothing to set up, not even with the right one', async () => {
    const { db, setUp, code } = await aNewInstance()
    await setUp.setUpFirstAdmin(code, ada, client)
    expect(await setUp.oneTimeCode()).toBeUndefined()
    const again = await setUp.setUpFirstAdmin(code, { ...ada, email: 'eve@example.org' }, client)
    expect(again).toMatchObject({ code: 'not_found', status: 404 })
    expect(await setUp.setUpFirstAdmin('wrong', ada, client)).toEqual(again)
    expect(await countAccounts(db)).toBe(1)
  })

  test('a refused admin leaves the way open', async () => {
    const { db, setUp, code } = await aNewInstance()
    expect(
      await setUp.setUpFirstAdmin(code, { ...ada, password: ada.email }, client),
    ).toMatchObject({
      field: 'password',
    })
    expect(await isSetUp(db)).toBe(false)
    expect(await setUp.setUpFirstAdmin(code, ada, client)).toMatchObject({ isAdmin: true })
  })

  test('an account that came another way closes the set-up too', async () => {
    const { db, setUp, code } = await aNewInstance()
    await addAccount(db)
    expect(await setUp.oneTimeCode()).toBeUndefined()
    expect(await setUp.setUpFirstAdmin(code, ada, client)).toMatchObject({ code: 'not_found' })
  })

  test('fifty requests at once make one admin', async () => {
    const { db, setUp, code } = await aNewInstance()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        setUp.setUpFirstAdmin(code, { ...ada, email: `admin${n}@example.org` }, client),
      ),
    )
    expect(answers.filter(answer => !isRefusal(answer))).toHaveLength(1)
    expect(answers.filter(isRefusal).every(({ status }) => status === 404)).toBe(true)
    expect(await countAccounts(db)).toBe(1)
  })
})

describe('unattended', () => {
  const token = `lnt_${'a'.repeat(43)}`
  const admin = { ...ada, token: undefined }

  test('the admin is made, and closes the set-up', async () => {
    const { db, setUp } = await aNewInstance()
    await ensureAdmin(db, admin, now)
    expect(await createSignIn(db, checkGuess)(ada.email, ada.password, client)).toMatchObject({
      isAdmin: true,
    })
    expect(await setUp.oneTimeCode()).toBeUndefined()
  })

  test('a second start changes nothing, whatever the environment says by then', async () => {
    const { db } = await aNewInstance()
    await ensureAdmin(db, admin, now)
    const before = await listAccounts(db, everybody, { now })
    await ensureAdmin(db, { ...admin, password: 'another password' }, now)
    await ensureAdmin(db, { ...admin, email: 'eve@example.org' }, now)
    expect(await listAccounts(db, everybody, { now })).toEqual(before)
    expect(await createSignIn(db, checkGuess)(ada.email, ada.password, client)).toMatchObject({
      email: ada.email,
    })
  })

  test('no admin is made with a password that anybody guesses, and there is no other complaint', async () => {
    const { db } = await aNewInstance()
    for (const password of ['eight ch', 'password1234', ada.email]) {
      await expect(ensureAdmin(db, { ...admin, password }, now)).rejects.toThrow(/password/)
    }
    expect(await isSetUp(db)).toBe(false)
    await ensureAdmin(db, admin, now)
    await ensureAdmin(db, { ...admin, password: 'eight ch' }, now)
  })

  test('the token acts for the admin, from the first start on', async () => {
    const { db } = await aNewInstance()
    await ensureAdmin(db, { ...admin, token }, now)
    await ensureAdmin(db, { ...admin, token }, now)
    const log = rememberingLog()
    const { byToken } = createCredentials({
      db,
      entitlements: testEntitlements(),
      feature: 'developer.apiKeys',
      now,
      log,
    })
    expect(await byToken(token)).toMatchObject({ account: { email: ada.email }, scopes: ['*'] })
  })

  test('the token alone acts for whom it acted before, and so does another in its place', async () => {
    const { db } = await aNewInstance()
    await addAccount(db, { email: 'grace@example.org', isAdmin: true })
    const other = await addAccount(db, { isAdmin: true })
    await ensureAdmin(db, { ...admin, email: other.email, token }, now)
    const log = rememberingLog()
    const { byToken } = createCredentials({
      db,
      entitlements: testEntitlements(),
      feature: 'developer.apiKeys',
      now,
      log,
    })
    for (const alone of [token, `lnt_${'b'.repeat(43)}`]) {
      await keepBootstrapToken(db, alone, now)
      expect(await byToken(alone)).toMatchObject({ accountId: other.id, scopes: ['*'] })
    }
    expect(await byToken(token)).toMatchObject({ code: 'invalid_token' })
  })

  test('the token alone stops the start where it has nobody to act for, with the remedy', async () => {
    const { db } = await aNewInstance()
    const remedy = 'set LINNET_ADMIN_EMAIL and LINNET_ADMIN_PASSWORD too'
    await expect(keepBootstrapToken(db, token, now)).rejects.toThrow(
      `there is no admin yet: ${remedy}`,
    )
    const first = await addAccount(db, { isAdmin: true })
    await expect(keepBootstrapToken(db, token, now)).rejects.toThrow(
      `the admin it belonged to no longer exists: ${remedy}`,
    )
    await ensureAdmin(db, { ...admin, email: first.email, token }, now)
    await db.updateTable('accounts').set({ is_admin: 0 }).execute()
    await expect(keepBootstrapToken(db, token, now)).rejects.toThrow(remedy)
  })

  test('a token for somebody who is no admin stops the start, with the remedy', async () => {
    const { db } = await aNewInstance()
    await addAccount(db, { isAdmin: true })
    await addAccount(db, { email: 'bob@example.org' })
    for (const email of ['bob@example.org', 'nobody@example.org']) {
      await expect(ensureAdmin(db, { ...admin, email, token }, now)).rejects.toThrow(
        `there is no admin ${email}. Set LINNET_ADMIN_EMAIL`,
      )
    }
  })
})
