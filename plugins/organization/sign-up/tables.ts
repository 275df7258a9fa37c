import type { Context, Migration } from '../../../core/plugin.ts'
import type { settings } from './settings.ts'

export const requests = 'organization_sign_up_requests'
export const made = 'organization_sign_up_made'

export interface Tables {
  readonly [requests]: RequestRow
  readonly [made]: { readonly account_id: number; readonly at: number }
}

/** Somebody who wants an account, or is said to. Times are in milliseconds since 1970 UTC. */
export interface RequestRow {
  /** In lower case. */
  readonly email: string
  /** SHA-256 of what the link in the mail has; null until it is mailed. */
  readonly secret_hash: string | null
  /** Of the mail, as the browser asked for it. */
  readonly language: string
  readonly expires_at: number
}

/** What wakes the sender of mails. */
export interface Wakes {
  wake(): void
}

export type OwnContext = Context<typeof settings, Wakes, Tables>

export const makeTables: Migration = async ({ schema }) => {
  await schema
    .createTable(requests)
    .addColumn('email', 'text', c => c.primaryKey())
    .addColumn('secret_hash', 'text')
    .addColumn('language', 'text', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .execute()
  await schema
    .createIndex(`${requests}_secret`)
    .unique()
    .on(requests)
    .columns(['secret_hash'])
    .execute()
  await schema.createIndex(`${requests}_expires`).on(requests).columns(['expires_at']).execute()
  // Who signed up: the count is limited, and admins see it.
  await schema
    .createTable(made)
    .addColumn('account_id', 'bigint', c =>
      c.primaryKey().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('at', 'bigint', c => c.notNull())
    .execute()
  await schema.createIndex(`${made}_at`).on(made).columns(['at', 'account_id']).execute()
}
