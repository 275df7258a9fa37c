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
  /** Like `DELETE /links/:id`: deletes the link and its visits. Resolves to what it was. */
  remove(owner: LinkOwner, id: string): Promise<SavedLink | LinkRefusal>
}
