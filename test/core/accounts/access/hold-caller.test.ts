import { expect, it } from 'vitest'
import {
  changePassword,
  setPassword,
  updateAccount,
} from '../../../../core/accounts/access/change-account.ts'
import { holdCaller, openSessionOf } from '../../../../core/accounts/access/hold-caller.ts'
import { createSecondSteps, type NamedStep } from '../../../../core/accounts/access/second-steps.ts'
import {
  closeSession,
  openSession,
  readSession,
  sessionId,
} from '../../../../core/accounts/access/sessions/sessions.ts'
import { createTokens } from '../../../../core/accounts/access/tokens.ts'
import { createAccount } from '../../../../core/accounts/accounts.ts'
import { verdictOn } from '../../../../core/limits/throttle.ts'
import { callerOf } from '../add-account.ts'
import {
  addAccount,
  openTestDb,
  patientGuesses,
  rememberingLog,
  stoppedClock,
} from '../fixtures.ts'

const changedMeanwhile = { kind: 'refuse', code: 'changed_meanwhile' }
const draft = { name: 'CI', scopes: ['*'], expiresAt: null }

it('a session is not opened by an old password once there is a new one', async () => {
  const db = await openTestDb()
  const clock = stoppedClock('2026-11-26T12:00:00.000Z')
  const account = await addAccount(db)
  const before = await openSessionOf(db, account, clock.now)
  expect(await readSession(db, String(before), clock.now)).toBeDefined()
  await db.transaction().execute(tx => setPassword(tx, account.id, 'another hash', clock.now))
  expect(await openSessionOf(db, account, clock.now)).toMatchObject(changedMeanwhile)
  expect(await db.selectFrom('sessions').selectAll().execute()).toEqual([])
})

/** A step that is asked of everybody who is marked. */
const code: NamedStep = {
  ...{
    feature: 'acme.codes',
    name: 'code',
    method: 'otp',
    oneOf: undefined,
    label: () => 'A code',
  },
  isNeeded: () => false,
  ask: async () => ({ text: 'The code', kind: 'code' }),
  check: async () => undefined,
}

it('a second step is not asked of who gave an old password', async () => {
  const db = await openTestDb()
  const clock = stoppedClock('2026-11-26T12:00:00.000Z')
  const account = await addAccount(db)
  const mark = { account_id: account.id, feature: code.feature, created_at: 0 }
  await db.insertInto('account_steps').values(mark).execute()
  const steps = createSecondSteps({
    ...{ db, log: rememberingLog(), now: clock.now, secret: Buffer.alloc(32) },
    checkGuess: patientGuesses(),
    hooks: { stepsOf: () => [code], neededBy: () => [] },
  })
  const proven = { methods: ['pwd'] }
  expect(await steps.begin(account, proven)).toMatchObject({ kind: 'due' })
  await db.transaction().execute(tx => setPassword(tx, account.id, 'another hash', clock.now))
  expect(await steps.begin(account, proven)).toMatchObject(changedMeanwhile)
})

it('who is signing in is not kept out by changes that have nothing to do with that', async () => {
  const db = await openTestDb()
  const clock = stoppedClock('2026-11-26T12:00:00.000Z')
  const account = await addAccount(db)
  clock.advance(1_000)
  await updateAccount(db, account.id, { fullName: 'Somebody else' }, clock.now)
  expect(await openSessionOf(db, account, clock.now)).toBeTypeOf('string')
})

it('a token is not made by who has a new password, or no session any more', async () => {
  const db = await openTestDb()
  const clock = stoppedClock('2026-11-26T12:00:00.000Z')
  const tokens = createTokens({ db, now: clock.now, scopes: () => ['*'] })
  const account = await addAccount(db)
  const session = await openSession(db, account.id, clock.now)
  const caller = callerOf(account, { credential: 'session' })
  const known = { ...caller, credentialId: sessionId(session) }
  expect(await tokens.create(known, draft)).toMatchObject({ name: 'CI' })
  await closeSession(db, session, clock.now)
  expect(await tokens.create(known, draft)).toMatchObject({ code: 'unauthenticated' })
  await db.transaction().execute(tx => setPassword(tx, account.id, 'another hash', clock.now))
  expect(await tokens.create(known, draft)).toMatchObject(changedMeanwhile)
})

it('an account is not made by who is an admin no more', async () => {
  const db = await openTestDb()
  const { now } = stoppedClock('2026-11-26T12:00:00.000Z')
  await addAccount(db, { isAdmin: true })
  const admin = await addAccount(db, { isAdmin: true })
  const hold = (tx: Parameters<typeof holdCaller>[0]) => holdCaller(tx, callerOf(admin))
  const eve = {
    email: 'eve@example.org',
    password: null,
    fullName: null,
    plan: 'free',
    isAdmin: true,
  }
  await updateAccount(db, admin.id, { isAdmin: false }, now)
  expect(await createAccount(db, eve, now, hold)).toMatchObject(changedMeanwhile)
  expect(await createAccount(db, eve, now)).toMatchObject({ email: eve.email })
})

it('a password is not changed by a session that is ended while the old one is checked', async () => {
  const db = await openTestDb()
  const clock = stoppedClock('2026-11-26T12:00:00.000Z')
  const account = await addAccount(db)
  const session = await openSession(db, account.id, clock.now)
  const caller = callerOf(account, { credential: 'session' })
  const known = { ...caller, credentialId: sessionId(session) }
  const change = { current: 'analytical engine', password: 'difference engine' }
  const confirmDuring = (during: () => Promise<unknown>) => ({
    now: clock.now,
    confirm: Object.assign(async () => void (await during()), {
      fresh: async () => undefined,
      password: async () => undefined,
      left: async () => verdictOn(0, 0, 10, 60),
    }),
  })
  const ending = confirmDuring(() => closeSession(db, session, clock.now))
  expect(await changePassword(db, known, change, ending)).toMatchObject({ code: 'unauthenticated' })
  const again = { ...known, credentialId: sessionId(await openSession(db, account.id, clock.now)) }
  const idle = confirmDuring(async () => undefined)
  expect(await changePassword(db, again, change, idle)).toMatchObject({ id: account.id })
})
