import type { Expression, SelectQueryBuilder } from 'kysely'
import type { z } from 'zod'
import type { Context } from './context.ts'
import type { Fields, Json } from './fields.ts'
import type { Later } from './outcomes.ts'
import type { Tables } from './plugin-tables.ts'
import type { Caller } from './token-keeper.ts'
import type { LinkView } from './visit.ts'

/**
 * A status of links, besides `active` and `archived`.
 *
 * @example
 * statuses: {
 *   paused: {
 *     label: 'Paused',
 *     rank: 750,
 *     links: ({ db }) => db.selectFrom('acme_pauses').select('link_id'),
 *   },
 * }
 */
export interface Status<S extends Fields = Fields, T = unknown, D = Tables> {
  /** What people read. */
  readonly label: string
  /**
   * If several statuses apply to a link, that with the highest rank is shown. `archived` has 800, and `active` is shown
   * if none applies. Of equal ranks, that of the plugin that runs first is shown.
   */
  readonly rank: number
  /**
   * The links with the status. The query is built once and run often, so it must not depend on anything that changes,
   * except `at`: the current time in milliseconds since 1970 UTC, to compare columns with.
   */
  links(context: Context<S, T, D>, at: Expression<number>): LinkRows
}

/**
 * A query on the plugin's own tables that selects `link_id`, the `rowId` of links.
 *
 * @example
 * db.selectFrom('acme_moods_links').select('link_id').where('mood', '=', mood)
 */
export type LinkRows = SelectQueryBuilder<Tables, string, { link_id: number }>

/**
 * Members that a plugin adds to links in answers of the API, besides its stored fields.
 *
 * @example
 * computed: {
 *   schema: { mood: z.string().nullable() },
 *   of: (links, { state }) => links.map(({ rowId }) => ({ mood: state.get(rowId) ?? null })),
 * }
 */
export interface Computed<S extends Fields = Fields, T = unknown, D = Tables> {
  /** The schema of each member, by name. */
  readonly schema: Readonly<Record<string, z.ZodType>>
  /** The members of each link, in the order of `links`. Called once for all links of an answer. */
  of(
    links: readonly LinkView[],
    context: Context<S, T, D>,
  ): Later<readonly Readonly<Record<string, Json>>[]>
  /**
   * The members of every new link whose request had no field of a plugin. `of` is not called for these, which makes
   * creating links faster.
   */
  readonly atFirst?: Readonly<Record<string, Json>>
}

/**
 * Query parameters that filter the list of links.
 *
 * @example
 * filter: {
 *   query: { mood: z.string() },
 *   where: ({ mood }, { db }) =>
 *     db.selectFrom('acme_moods').select('link_id').where('mood', '=', mood),
 * }
 */
export interface Filter<S extends Fields = Fields, T = unknown, D = Tables> {
  /** The schema of each parameter, by name. Linnet makes each optional, so it must have no default. */
  readonly query: Readonly<Record<string, z.ZodType>>
  /**
   * The links that match; undefined for all. Of several queries, links must be in all. Called only if at least one of the
   * parameters was sent. Links of other accounts than that with this row id are left out afterwards.
   */
  where(
    query: Readonly<Record<string, unknown>>,
    context: Context<S, T, D>,
    accountId: number,
  ): LinkRows | readonly LinkRows[] | undefined
}

/**
 * A kind of set of links with analytics of its own.
 *
 * @example
 * groups: { '/moods': { summary: 'Numbers of a mood', links: (id, _, { db }) => linksOf(db, id) } }
 */
export interface Group<S extends Fields = Fields, T = unknown, D = Tables> {
  /** The summary of its analytics endpoint in OpenAPI. */
  readonly summary: string
  /** The links of the set with this id; undefined if the caller has no such set (404). Time limit: 10 s. */
  links(id: string, caller: Caller, context: Context<S, T, D>): Later<LinkRows | undefined>
}
