import type { Json } from './fields.ts'
import type { Refusal } from './outcomes.ts'
import type { Caller } from './token-keeper.ts'
import type { SavedLink } from './visit.ts'

/**
 * Who writes a link. The caller that an endpoint or a mount was given needs the scope `links:write`; any other object, even a copy,
 * throws. The row id of an account, such as `link.accountId`, writes as its owner would with a session.
 */
export type LinkOwner = Caller | number

/**
 * Why a link was not written, with the codes of the API, such as `short_code_taken`. `errors` has each field that is
 * wrong, if there are several.
 *
 * @example
 * const made = await links.create(account, { originalUrl })
 * if (isRefusal(made)) report.push(made.errors?.[0]?.field ?? made.code)
 */
export interface LinkRefusal extends Refusal {
  readonly errors?: readonly {
    /** As the plugin wrote it, such as `shortCode`. */
    readonly field: string
    readonly code: string
    /** One sentence for people. */
    readonly message: string
  }[]
}

/**
 * What a link brings from elsewhere, which no request of the API can say.
 *
 * @example
 * await links.create(account, { originalUrl, shortCode: 'b' }, { createdAt, formerCodes: ['a'] })
 */
export interface LinkPast {
  /** Not in the future. Default: now. */
  readonly createdAt?: Date | undefined
  /** From `createdAt` to now. Default: `createdAt`. */
  readonly updatedAt?: Date | undefined
  /** At most 100 codes on the same host that lead to the link too, oldest first. */
  readonly formerCodes?: readonly string[] | undefined
  /**
   * Hashes of sealed fields, such as of a password, by the name of the field: of bcrypt (`$2b$…`, cost 4 to 14), of PBKDF2
   * (`$pbkdf2-sha256$i=…$…$…`, or `sink-pwd:v1:…` of Sink, at most 2,000,000 iterations) or of Linnet (`scrypt:…`). Hashed anew
   * when somebody first gives the right text.
   */
  readonly hashed?: Readonly<Record<string, string>> | undefined
  /** Visits that it had there. They use up nothing of what the plan includes. */
  readonly visits?: PastVisits | undefined
  /** Keys of `addVisits` with which these visits are not added once more: at most 1,000, of 1 to 200 characters. */
  readonly visitKeys?: readonly string[] | undefined
}

/**
 * Visits that a link had elsewhere: at most 10,000 numbers in one call.
 *
 * @example
 * const visits: PastVisits = { undated: 800, counts: [{ at: '2024-05-03', visits: 12 }] }
 */
export interface PastVisits {
  /** How many there were of which nobody knows the time. They are in totals and limits, and in no period. */
  readonly undated?: number | undefined
  /** The others, in any order. What is given twice is added up. */
  readonly counts?: readonly PastCounts[] | undefined
  /** When the last visit was. Default: in the last of `counts`. */
  readonly lastVisitAt?: Date | undefined
}

/**
 * The visits of a day or an hour.
 *
 * @example
 * const counts: PastCounts = { at: '2024-05-03', visits: 12, by: { visitsByMood: { calm: 9 } } }
 */
export interface PastCounts {
  /** A day of UTC, such as `2024-05-03`, or any moment of an hour. Not in the future. */
  readonly at: string | Date
  /** All visits of that time, without robots. */
  readonly visits: number
  /**
   * How many of them have a value, by the name of a dimension and by value. A dimension that is a number has one here, too.
   * A number of different values, such as visitors, can be given for a day only, and those of several links are added up.
   */
  readonly by?: Readonly<Record<string, number | Readonly<Record<string, number>>>> | undefined
}

/**
 * Creates, changes and deletes links in the same way as the API: the same checks, hooks of plugins, limits of the plan
 * and listeners. What the API refuses is returned as a refusal; throws if nothing can be read or written now, if no
 * plugins run yet, as in the first `setup`, and where `context.db` is a transaction.
 *
 * @example
 * const made = await links.create(caller, { originalUrl: 'https://example.com/', shortCode: 'spring' })
 * return isRefusal(made) ? made : { data: links.shortUrl(made) }
 */
export interface LinkWriting {
  /** Like `POST /links`: `link` is its body, with the fields of plugins. */
  create(
    owner: LinkOwner,
    link: Readonly<Record<string, Json>>,
    past?: LinkPast,
  ): Promise<SavedLink | LinkRefusal>
  /** Like `PATCH /links/:id`: members that are left out stay as they are. */
  update(
    owner: LinkOwner,
    id: string,
    change: Readonly<Record<string, Json>>,
  ): Promise<SavedLink | LinkRefusal>
  /**
   * Adds visits that a link had elsewhere to those that it has. False, and nothing is added, if the link had visits with
   * this `key` before, of 1 to 200 characters: so what is brought again after a failure does not count twice.
   */
  addVisits(
    owner: LinkOwner,
    id: string,
    key: string,
    visits: PastVisits,
  ): Promise<boolean | LinkRefusal>
  /** Like `DELETE /links/:id`: deletes the link and its visits. Resolves to what it was. */
  remove(owner: LinkOwner, id: string): Promise<SavedLink | LinkRefusal>
  /** Like `POST /links/:id/restore`: brings a link back that was deleted some days ago at most, with all that it had. */
  restore(owner: LinkOwner, id: string): Promise<SavedLink | LinkRefusal>
}

/**
 * What an account hands over to another.
 *
 * @example
 * async handOver({ from, to, links }, { db }) {
 *   const all = db.updateTable('acme_moods').set({ account_id: to }).where('account_id', '=', from)
 *   await (links ? all.where('link_id', 'in', links) : all).execute()
 * }
 */
export interface HandedOver {
  /** Row id of the account that has it. */
  readonly from: number
  /** Row id of the account that gets it. */
  readonly to: number
  /** Row ids of the links that are handed over; absent: all of them, with all else that the account has. */
  readonly links?: readonly number[] | undefined
}
