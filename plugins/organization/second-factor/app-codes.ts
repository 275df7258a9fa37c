import { randomBytes } from 'node:crypto'
import type { Refusal } from '../../../core/plugin.ts'
import { codesLeft, makeRecoveryCodes, withoutCode } from './recovery-codes.ts'
import { type Factor, type OwnContext, table } from './tables.ts'
import { usedBefore, wrongCode } from './texts.ts'
import { base32, stepOf, uriOf } from './totp.ts'

export function find(
  accountId: number,
  { db }: Pick<OwnContext, 'db'>,
): Promise<Factor | undefined> {
  return db.selectFrom(table).selectAll().where('account_id', '=', accountId).executeTakeFirst()
}

/** A new secret, which does nothing until a code of it was shown. */
export async function newSecret(accountId: number, { db, unstable }: OwnContext) {
  const secret = base32(randomBytes(20))
  const factor = { secret: unstable.secrets.hide(secret), used_step: 0 }
  await db
    .insertInto(table)
    .values({ account_id: accountId, recovery: '[]', ...factor })
    .onConflict(it => it.column('account_id').doUpdateSet(factor))
    .execute()
  const [who] = await unstable.accounts.find([accountId])
  const uri = uriOf(secret, unstable.brand().name ?? 'Linnet', who?.email ?? '')
  return { secret, uri, picture: await pictureOf(uri) }
}

/** New recovery codes, in place of those before. */
export async function newRecoveryCodes(accountId: number, { db }: OwnContext): Promise<string[]> {
  const { codes, digests: recovery } = makeRecoveryCodes()
  await db
    .insertInto(table)
    .values({ account_id: accountId, secret: '', used_step: 0, recovery })
    .onConflict(it => it.column('account_id').doUpdateSet({ recovery }))
    .execute()
  return codes
}

/** Whether a code of an app was shown. A secret without that is only a try. */
export function hasApp(factor: Factor | undefined): factor is Factor {
  return Number(factor?.used_step ?? 0) > 0
}

export function recoveryCodesLeft(factor: Factor | undefined): number {
  return factor ? codesLeft(factor.recovery) : 0
}

/**
 * Each code works once, so that nobody who reads it over a shoulder can use it too. `takesApp` says whether codes of the app count:
 * who has only begun with one signs in by something else.
 */
export async function checkCode(
  factor: Factor,
  typed: string,
  takesApp: boolean,
  context: OwnContext,
): Promise<Refusal | undefined> {
  const text = typed.replace(/[\s-]/g, '').toUpperCase()
  if (!/^\d{6}$/.test(text)) return spendRecoveryCode(factor, text, context)
  return takesApp ? checkAppCode(factor, text, context) : wrongCode
}

export async function checkAppCode(
  factor: Factor,
  typed: string,
  { db, now, unstable }: OwnContext,
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

async function spendRecoveryCode(factor: Factor, typed: string, { db }: OwnContext) {
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
