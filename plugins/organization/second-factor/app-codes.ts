import { randomBytes } from 'node:crypto'
import type { Context, Fields, Refusal } from '../../../core/plugin.ts'
import { codesLeft, makeRecoveryCodes, withoutCode } from './recovery-codes.ts'
import { usedBefore, wrongCode } from './texts.ts'
import { base32, stepOf, uriOf } from './totp.ts'

export const table = 'organization_second_factor'

export interface Tables {
  readonly [table]: Factor
}

/** What somebody signs in with besides the password. */
export interface Factor {
  readonly account_id: number
  /** In base32, as authenticator apps take it, and hidden. */
  readonly secret: string
  /** The latest half minute whose code was used; 0 as long as none was. */
  readonly used_step: number
  /** JSON list of the digests of recovery codes that were not used. */
  readonly recovery: string
}

export type Own<S extends Fields = Fields> = Context<S, unknown, Tables>

export function find(accountId: number, { db }: Pick<Own, 'db'>): Promise<Factor | undefined> {
  return db.selectFrom(table).selectAll().where('account_id', '=', accountId).executeTakeFirst()
}

/** A new secret, which does nothing until a code of it was shown. */
export async function newSecret(accountId: number, { db, unstable }: Own) {
  const secret = base32(randomBytes(20))
  const factor = { secret: unstable.secrets.hide(secret), used_step: 0, recovery: '[]' }
  await db
    .insertInto(table)
    .values({ account_id: accountId, ...factor })
    .onConflict(it => it.column('account_id').doUpdateSet(factor))
    .execute()
  const [who] = await unstable.accounts.find([accountId])
  const uri = uriOf(secret, unstable.brand().name ?? 'Linnet', who?.email ?? '')
  return { secret, uri, picture: await pictureOf(uri) }
}

/** New recovery codes, in place of those before. */
export async function newRecoveryCodes(accountId: number, { db }: Own): Promise<string[]> {
  const { codes, digests } = makeRecoveryCodes()
  await db
    .updateTable(table)
    .set({ recovery: digests })
    .where('account_id', '=', accountId)
    .execute()
  return codes
}

export function recoveryCodesLeft(factor: Factor | undefined): number {
  return factor ? codesLeft(factor.recovery) : 0
}

/** Each code works once, so that nobody who reads it over a shoulder can use it too. */
export async function checkCode(
  factor: Factor,
  typed: string,
  context: Own,
): Promise<Refusal | undefined> {
  const text = typed.replace(/[\s-]/g, '').toUpperCase()
  return /^\d{6}$/.test(text)
    ? checkAppCode(factor, text, context)
    : spendRecoveryCode(factor, text, context)
}

export async function checkAppCode(
  factor: Factor,
  typed: string,
  { db, now, unstable }: Own,
): Promise<Refusal | undefined> {
  const secret = unstable.secrets.reveal(factor.secret)
  if (secret === undefined) throw new Error('The secret of an account cannot be read.')
  const step = stepOf(typed.replace(/\s/g, ''), secret, now())
  if (step === undefined) return wrongCode
  const { numUpdatedRows } = await db
    .updateTable(table)
    .set({ used_step: step })
    .where('account_id', '=', factor.account_id)
    .where('secret', '=', factor.secret)
    .where('used_step', '<', step)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n ? undefined : usedBefore
}

async function spendRecoveryCode(factor: Factor, typed: string, { db }: Own) {
  const left = withoutCode(factor.recovery, typed)
  if (left === undefined) return wrongCode
  const { numUpdatedRows } = await db
    .updateTable(table)
    .set({ recovery: left })
    .where('account_id', '=', factor.account_id)
    .where('recovery', '=', factor.recovery)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n ? undefined : usedBefore
}

/** A QR code of it. */
async function pictureOf(uri: string): Promise<string> {
  // Loaded only where somebody begins.
  const { default: QrCode } = await import('qrcode')
  const svg = await QrCode.toString(uri, { type: 'svg', margin: 2 })
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
