import type { Generated } from 'kysely'

/**
 * The core's tables. Times are whole milliseconds since 1970 UTC, booleans are 0 or 1, and structured values are JSON
 * text, so that every database that Kysely supports can hold them.
 */
export interface Schema {
  meta: MetaTable
  accounts: AccountsTable
  sessions: SessionsTable
  identities: IdentitiesTable
  account_steps: AccountStepsTable
  used_tickets: UsedTicketsTable
  api_tokens: ApiTokensTable
  one_time_links: OneTimeLinksTable
  usage: UsageTable
  links: LinksTable
  short_codes: ShortCodesTable
  code_rules: CodeRulesTable
  link_texts: LinkTextsTable
  deleted_links: DeletedLinksTable
  link_totals: LinkTotalsTable
  visit_batches: VisitBatchesTable
  visit_imports: VisitImportsTable
  visit_names: VisitNamesTable
  link_counts: CountsTable
  account_counts: CountsTable
  link_sketches: LinkSketchesTable
  account_sketches: AccountSketchesTable
  account_values: AccountValuesTable
  counts_to_remove: CountsToRemoveTable
  job_runs: JobRunsTable
  plugin_migrations: PluginMigrationsTable
  plugin_store: PluginStoreTable
  event_listeners: EventListenersTable
  outbox: OutboxTable
  idempotency_keys: IdempotencyKeysTable
  idempotency_made: IdempotencyMadeTable
}

/** Facts about this database: `schema` (its version), `secret` (signs passes), `set_up`. */
export interface MetaTable {
  key: string
  value: string
}

export interface AccountsTable {
  id: Generated<number>
  /** Lower case, unique. */
  email: string
  full_name: string | null
  avatar_url: string | null
  password_hash: string | null
  is_admin: number
  plan: string
  email_verified_at: number | null
  /** When an admin suspended it; null if it is not suspended. */
  suspended_at: number | null
  /** 1 if its links lead nowhere, because it is suspended with them. */
  links_closed: Generated<number>
  /** When its owner last signed in, to the hour. */
  signed_in_at: number | null
  created_at: number
  updated_at: number
}

export interface SessionsTable {
  /** SHA-256 of the cookie's value, in hexadecimal. */
  id_hash: string
  account_id: number
  /** JSON list of how its owner was proven, such as `["pwd","otp"]`: words of RFC 8176 where they fit. */
  methods: string
  created_at: number
  /** When that was last proven. */
  authenticated_at: number
  seen_at: number
  /** Of the provider that proved it last; null if none did. */
  issuer: string | null
  subject: string | null
  /** What that provider calls the session there; null if it does not say. */
  provider_session: string | null
}

/** Who somebody is elsewhere, such as at a company's sign-in server. */
export interface IdentitiesTable {
  issuer: string
  subject: string
  account_id: number
  created_at: number
  /** When somebody last signed in with it. */
  used_at: number
}

/** Accounts that sign in only with a second step of a plugin. */
export interface AccountStepsTable {
  account_id: number
  feature: string
  created_at: number
}

/** Tickets that worked once and work no more, until they would have ended anyway. */
export interface UsedTicketsTable {
  id: string
  ends_at: number
}

export interface ApiTokensTable {
  id: Generated<number>
  account_id: number
  name: string
  /** SHA-256 of the whole token, in hexadecimal, unique. */
  token_hash: string
  /** The first characters, for people to tell tokens apart. */
  prefix: string
  /** JSON list of scopes. */
  scopes: string
  /** 1 if it was made from LINNET_BOOTSTRAP_TOKEN. */
  is_bootstrap: number
  created_at: number
  last_used_at: number | null
  expires_at: number | null
}

/** Links with which the owner of an account sets its password, at most one per account. */
export interface OneTimeLinksTable {
  account_id: number
  /** SHA-256 of the secret, in hexadecimal, unique. */
  secret_hash: string
  created_at: number
  expires_at: number
}

/** What an account used in a calendar month in UTC. */
export interface UsageTable {
  account_id: number
  /** `2026-11` */
  period: string
  links_created: number
  visits_tracked: number
}

export interface LinksTable {
  id: Generated<number>
  account_id: number
  /** '' is the default host. */
  domain: string
  /** The current code; earlier ones live on in `short_codes`. */
  short_code: string
  original_url: string
  title: string | null
  notes: string | null
  archived: number
  /** JSON: stored fields by plugin, `{ "acme.officeHours": { "opensAt": … } }`. */
  fields: string
  /** JSON list of the features that guard this link. */
  guarded_by: string
  /** Grows with each change. */
  version: number
  created_at: number
  updated_at: number
}

/** Every code ever given out; a code never changes hands. */
export interface ShortCodesTable {
  /** After a `~`, the codes are what is the same on that host: see `formsOn`. */
  domain: string
  code: string
  /** Null if its link was deleted. */
  link_id: number | null
  /** The account that may use it again; null if that was deleted, and nobody may. */
  account_id: number | null
  created_at: number
}

/** What short codes are like on hosts where somebody said it: `CodeRules`. */
export interface CodeRulesTable {
  domain: string
  rules: string
}

/**
 * Links that were deleted some days ago at most, and can be restored. Their counts are in `link_counts`, under the negative
 * of their id, where they are in no number; their sketches stay where they are.
 */
export interface DeletedLinksTable {
  /** The id that it had in `links`. */
  id: number
  account_id: number
  deleted_at: number
  /** JSON: its row in `links`. */
  link: string
  /** JSON list of `{ domain, code }`: the codes that led to it. */
  codes: string
  /** JSON: by table, the rows that referred to it. */
  rows: string
}

/** The text that a link is found by, in the order of the key: a search reads all texts of an account. */
export interface LinkTextsTable {
  account_id: number
  link_id: number
  /** See `textOf`. */
  text: string
}

/** Changes in the same transaction as the counts, so that the two never disagree. */
export interface LinkTotalsTable {
  link_id: number
  visits: number
  /** 0 if there are visits from elsewhere only, and nobody knows when they were. */
  last_visit_at: number
}

/**
 * Recorded visits that are not folded into counts yet: one packed row per flush. Rows of sums from elsewhere stand among them.
 */
export interface VisitBatchesTable {
  id: Generated<number>
  packed: Buffer
}

/** The keys under which visits were brought to a link that existed: each is taken once. */
export interface VisitImportsTable {
  link_id: number
  key: string
}

/** Dictionary of dimension names and values. */
export interface VisitNamesTable {
  id: Generated<number>
  name: string
  /** The round of tidying up in which a fold last used it. */
  used_in: Generated<number>
}

/**
 * Counts for a link, or for an account over all its links. Both are written in the same transaction, because adding
 * up the numbers of ten thousand links on request would take too long. In the order of the key, so that the counts of
 * an owner are stored together.
 */
export interface CountsTable {
  /** Id of the link or account. */
  owner_id: number
  /** Start of the hour, in hours since 1970 UTC, or `allTimeBucket`, or `undatedBucket`. */
  bucket: number
  /** All counts of the hour: see `packCounts`. */
  packed: Buffer
}

/**
 * A sketch, from which the number of different values of a dimension on a day can be estimated, but none of the
 * values.
 */
export interface LinkSketchesTable {
  link_id: number
  /** Id from `visit_names`. */
  dimension: number
  /** Days since 1970 UTC. */
  day: number
  /** How many visits had a value: there cannot be more different values. */
  visits: number
  /** Marks that the values left. */
  sketch: Buffer
}

/** The same for all links that an account has, or had on that day. */
export interface AccountSketchesTable extends Omit<LinkSketchesTable, 'link_id'> {
  account_id: number
}

/** How many values were counted separately for an account on a day, over its links and their dimensions. */
export interface AccountValuesTable {
  account_id: number
  /** Days since 1970 UTC. */
  day: number
  count: number
}

/**
 * Links and accounts whose counts are still to be removed, because they are gone (`link`, `account`), or to be moved: out of all
 * numbers (`set_aside`), because the link can be restored, or back into them (`put_back`).
 */
export interface CountsToRemoveTable {
  owner: 'link' | 'account' | 'set_aside' | 'put_back'
  /** The id that its row had; for `link`, the negative of it for counts that were set aside. */
  id: number
  /** The account from whose counts those of the link are subtracted, or to which they are added. */
  account_id: number
}

/** The last run of each job, so that no scheduled time is run twice. */
export interface JobRunsTable {
  job: string
  started_at: number
  ended_at: number | null
  error: string | null
}

export interface PluginMigrationsTable {
  feature: string
  name: string
  /** SHA-256 of the migration's SQL; a changed migration stops the boot. */
  checksum: string
  applied_at: number
}

/** What plugins store by key. */
export interface PluginStoreTable {
  feature: string
  key: string
  /** JSON text. */
  value: string
}

/** Plugins that hear of events. */
export interface EventListenersTable {
  feature: string
  /** JSON list of kinds of things, such as `link`. */
  kinds: string
  /** How often it failed of the event that is next. */
  failures: number
  problem: string | null
  /** When a server last said that it is on. */
  seen_at: number
}

/** Events that plugins did not have yet, a row for each plugin: a row of one is not in the way of another's. */
export interface OutboxTable {
  id: Generated<number>
  feature: string
  /** JSON: an `Event`. */
  event: string
}

/** Requests that may be repeated, according to their `Idempotency-Key`; kept for a day. */
export interface IdempotencyKeysTable {
  account_id: number
  /** SHA-256 of the key, in hexadecimal. */
  key: string
  /** SHA-256 of the request, in hexadecimal. */
  request: string
  created_at: number
  /** When the latest attempt began; 0 if it failed after it had made something. */
  started_at: number
  /** The answer, encrypted with the key; null if there is none yet. */
  answer: Buffer | null
}

/** What such a request made, noted in the same transaction, so that nothing is made twice. */
export interface IdempotencyMadeTable {
  account_id: number
  key: string
  /** Position in a bulk request, else 0. */
  part: number
  /** The public id of what was made. */
  made: string
}
