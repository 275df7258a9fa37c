import type { Selectable } from 'kysely'
import { compileOnce, type Places } from '../lib/compile-once.ts'
import { hashPassword } from '../lib/passwords.ts'
import { publicId } from '../lib/public-id.ts'
import { isRefusal, type Refusal, refuse } from '../plugin/outcomes.ts'
import type { KnownAccount } from '../plugin.ts'
import {
  type Database,
  inTransaction,
  inTransactionUnlessRefused,
  type Tx,
} from '../storage/database.ts'
import { readMeta } from '../storage/meta.ts'
import type { AccountsTable } from '../storage/schema.ts'
import type { Account } from './account.ts'
import { refuseOwnWords } from './account-fields.ts'
import { digest } from './digest.ts'
import { tellOfAccount } from './tell-of-accounts.ts'

type Row = Selectable<AccountsTable>

/** A new account, its fields checked as `account-fields.ts` says. */
export interface AccountDraft {
  readonly email: string
  /** Null if nobody can sign in until a password is set by a one-time link. */
  readonly password: string | null
  readonly fullName: string | null
  readonly plan: string
  readonly isAdmin: boolean
  /** Whether somebody has shown that the address is theirs. */
  readonly isVerified?: true
}

/** Make an account. Refused: `email_taken`, a password made of the own address and name, or what `hold` says in the transaction. */
export async function createAccount(
  db: Database,
  draft: AccountDraft,
  now: () => Date,
  hold: (tx: Tx) => Promise<Refusal | undefined> = async () => undefined,
): Promise<Account | Refusal> {
  const { password } = draft
  const refused = password === null ? undefined : refuseOwnWords(password, draft)
  if (refused) return refused
  const passwordHash = password === null ? null : await hashPassword(password)
  const at = now().getTime()
  const row = await inTransactionUnlessRefused<Row | undefined>(db, async tx => {
    const refused = await hold(tx)
    if (refused) return refused
    const row = await tx
      .insertInto('accounts')
      .values({
        email: draft.email,
        full_name: draft.fullName,
        password_hash: passwordHash,
        is_admin: draft.isAdmin ? 1 : 0,
        plan: draft.plan,
        email_verified_at: draft.isVerified ? at : null,
        created_at: at,
        updated_at: at,
      })
      .onConflict(conflict => conflict.column('email').doNothing())
      .returningAll()
      .executeTakeFirst()
    if (row) await tellOfAccount(tx, now(), undefined, readAccount(row))
    return row
  })
  if (row) return isRefusal(row) ? row : readAccount(row)
  return refuse('email_taken', 'Another account has this e-mail address.', 409, 'email')
}

/** The account with this number. */
export async function findAccount(db: Database, id: number): Promise<Account | undefined> {
  const [row] = (await selectAccount(db, { id })).rows
  return row && readAccount(row)
}

/** Accounts that are being deleted have this key in `meta`. */
export const deletionKey = (id: number | '%') => `deleting account ${id}`

/** The account with this number, unless it is being deleted: whatever it is given now would go with it. */
export async function findStaying(db: Database, id: number): Promise<Account | undefined> {
  return (await readMeta(db, deletionKey(id))) === undefined ? findAccount(db, id) : undefined
}

const selectAccount = compileOnce((db: Database, { id }: Places<{ id: number }>) =>
  db.selectFrom('accounts').selectAll().where('id', '=', id),
)

/** Who some accounts are; those that there are not are left out. */
export async function whoAre(
  db: Database,
  ids: readonly number[],
): Promise<readonly KnownAccount[]> {
  if (ids.length > maxAsked) throw new Error(`Ask for at most ${maxAsked} accounts at once.`)
  if (ids.length === 0) return []
  const rows = await knownColumns(db)
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return rows.map(knownRow)
}

/** Who has an e-mail address, in upper or lower case. */
export async function whoHas(db: Database, email: string): Promise<KnownAccount | undefined> {
  const account = await findAccountByEmail(db, email)
  return account && known(account)
}

type KnownRow = Awaited<ReturnType<ReturnType<typeof knownColumns>['execute']>>[number]

function knownRow({ is_admin, full_name: fullName, suspended_at, ...row }: KnownRow): KnownAccount {
  return known({ ...row, fullName, isAdmin: is_admin === 1, suspendedAt: dateOf(suspended_at) })
}

function known({
  id,
  email,
  fullName,
  plan,
  isAdmin,
  suspendedAt,
}: Pick<Account, KnownMember>): KnownAccount {
  const who = { accountId: id, id: publicId('acc', id), email, fullName, plan, isAdmin }
  return { ...who, isSuspended: suspendedAt !== null }
}

type KnownMember = 'id' | 'email' | 'fullName' | 'plan' | 'isAdmin' | 'suspendedAt'

/** All accounts, oldest first, a page at a time. */
export async function* everybody(db: Database): AsyncGenerator<readonly KnownAccount[]> {
  for (let last = 0; ; ) {
    const rows = await knownColumns(db)
      .where('id', '>', last)
      .orderBy('id')
      .limit(accountsAtOnce)
      .execute()
    if (rows.length > 0) yield rows.map(knownRow)
    if (rows.length < accountsAtOnce) return
    last = rows.at(-1)?.id ?? last
  }
}

const accountsAtOnce = 100

function knownColumns(db: Database) {
  return db
    .selectFrom('accounts')
    .select(['id', 'email', 'full_name', 'plan', 'is_admin', 'suspended_at'])
}

const maxAsked = 1_000

/** The account with this e-mail address, in upper or lower case. */
export async function findAccountByEmail(
  db: Database,
  email: string,
): Promise<Account | undefined> {
  const row = await db
    .selectFrom('accounts')
    .selectAll()
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst()
  return row && readAccount(row)
}

/** How many accounts there are. */
export async function countAccounts(db: Database): Promise<number> {
  const { total } = await db
    .selectFrom('accounts')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** How many accounts are on each plan that has any. */
export async function countAccountsByPlan(db: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('accounts')
    .select(({ fn }) => ['plan', fn.countAll<number>().as('total')])
    .groupBy('plan')
    .execute()
  return new Map(rows.map(({ plan, total }) => [plan, Number(total)]))
}

/** Move all accounts from one plan to another, and return their ids. */
export async function moveAccounts(
  db: Database,
  from: string,
  to: string,
  now: () => Date,
): Promise<readonly number[]> {
  return inTransaction(db, async tx => {
    const moved = await tx
      .updateTable('accounts')
      .set({ plan: to, updated_at: now().getTime() })
      .where('plan', '=', from)
      .returningAll()
      .execute()
    for (const after of moved.map(readAccount)) {
      await tellOfAccount(tx, now(), { ...after, plan: from }, after, ['plan'])
    }
    return moved.map(({ id }) => id)
  })
}

/** Reads the row of an account. */
export function readAccount(row: Row): Account {
  return {
    id: row.id,
    email: row.email,
    fullName: row.full_name,
    avatarUrl: row.avatar_url,
    isAdmin: row.is_admin === 1,
    plan: row.plan,
    hasPassword: row.password_hash !== null,
    passwordMark: digest(row.password_hash ?? ''),
    emailVerifiedAt: dateOf(row.email_verified_at),
    suspendedAt: dateOf(row.suspended_at),
    linksClosed: row.links_closed === 1,
    signedInAt: dateOf(row.signed_in_at),
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  }
}

function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms)
}
