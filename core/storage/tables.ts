import type { Kysely } from 'kysely'

/**
 * The schema of a database as this version has it, and the way there from the schema of each earlier release. Both
 * must lead to the same tables: `test/core/storage/open/migrate.test.ts` compares them.
 */
export interface SchemaHistory {
  /** Statements that make all tables of a new database. */
  readonly tables: readonly string[]
  /** The first one leads from version 1 to 2, and so on; a released one never changes. */
  readonly steps: readonly Step[]
}

/** Changes the schema by one version, in one transaction. */
export type Step = (tx: Kysely<unknown>) => Promise<void>

/** The version of the schema that a history leads to; that of the first release is 1. */
export function newestOf({ steps }: SchemaHistory): number {
  return steps.length + 1
}

const steps: readonly Step[] = []

/** What the two databases call the same thing. */
interface Words {
  /** A number that is never given twice, not even after its row was deleted. */
  readonly id: string
  /** Compared and ordered by its bytes. */
  readonly text: string
  readonly bytes: string
  /** Keeps a table in the order of its key. */
  readonly clustered: string
}

/** `Schema` describes the columns. Foreign keys have no index of their own unless there is one below. */
const tablesIn = ({ id, text, bytes, clustered }: Words): string => `
create table meta (
  key ${text} primary key,
  value ${text} not null
);

create table accounts (
  id ${id},
  email ${text} not null unique,
  full_name ${text},
  avatar_url ${text},
  password_hash ${text},
  is_admin bigint not null,
  plan ${text} not null,
  email_verified_at bigint,
  suspended_at bigint,
  links_closed bigint not null default 0,
  signed_in_at bigint,
  created_at bigint not null,
  updated_at bigint not null
);

create table sessions (
  id_hash ${text} primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  methods ${text} not null,
  created_at bigint not null,
  authenticated_at bigint not null,
  seen_at bigint not null,
  issuer ${text},
  subject ${text},
  provider_session ${text}
);
create index sessions_account on sessions (account_id);
create index sessions_issuer on sessions (issuer, subject);

create table identities (
  issuer ${text} not null,
  subject ${text} not null,
  account_id bigint not null references accounts (id) on delete cascade,
  created_at bigint not null,
  used_at bigint not null,
  primary key (issuer, subject)
);
create index identities_account on identities (account_id);

create table account_steps (
  account_id bigint not null references accounts (id) on delete cascade,
  feature ${text} not null,
  created_at bigint not null,
  primary key (account_id, feature)
);

create table used_tickets (
  id ${text} primary key,
  ends_at bigint not null
);
create index used_tickets_ends on used_tickets (ends_at);

create table api_tokens (
  id ${id},
  account_id bigint not null references accounts (id) on delete cascade,
  name ${text} not null,
  token_hash ${text} not null unique,
  prefix ${text} not null,
  scopes ${text} not null,
  is_bootstrap bigint not null,
  created_at bigint not null,
  last_used_at bigint,
  expires_at bigint
);
create index api_tokens_account on api_tokens (account_id);

create table one_time_links (
  account_id bigint primary key references accounts (id) on delete cascade,
  secret_hash ${text} not null unique,
  created_at bigint not null,
  expires_at bigint not null
);

create table usage (
  account_id bigint not null references accounts (id) on delete cascade,
  period ${text} not null,
  links_created bigint not null default 0,
  visits_tracked bigint not null default 0,
  primary key (account_id, period)
);

-- No index has the codes: the key of short_codes lets no two links have the same one.
create table links (
  id ${id},
  account_id bigint not null references accounts (id) on delete cascade,
  domain ${text} not null,
  short_code ${text} not null,
  original_url ${text} not null,
  title ${text},
  notes ${text},
  archived bigint not null default 0,
  fields ${text} not null,
  guarded_by ${text} not null,
  version bigint not null,
  created_at bigint not null,
  updated_at bigint not null
);
-- The columns that lists are mostly filtered by.
create index links_account on links (account_id, created_at, id, archived, domain);
-- Lists by code and by title begin anywhere without sorting all links of the account.
create index links_account_code on links (account_id, short_code);
-- Must be written as in the query of the list, or SQLite does not recognise it.
create index links_account_title on links (account_id, coalesce(title, ''));
-- PostgreSQL has no longer keys; also written as in its query.
create index links_account_address on links (account_id, substr(original_url, 1, 500));

create table short_codes (
  domain ${text} not null,
  code ${text} not null,
  link_id bigint references links (id) on delete set null,
  account_id bigint references accounts (id) on delete set null,
  created_at bigint not null,
  primary key (domain, code)
) ${clustered};
create index short_codes_link on short_codes (link_id);
create index short_codes_account on short_codes (account_id);

create table code_rules (
  domain ${text} primary key,
  rules ${text} not null
);

create table link_texts (
  account_id bigint not null references accounts (id) on delete cascade,
  link_id bigint not null,
  text ${text} not null,
  primary key (account_id, link_id)
) ${clustered};

-- Links that can be restored. Their row numbers are those that they had, and may have again.
create table deleted_links (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  deleted_at bigint not null,
  link ${text} not null,
  codes ${text} not null,
  rows ${text} not null
);
create index deleted_links_account on deleted_links (account_id, deleted_at, id);
create index deleted_links_deleted on deleted_links (deleted_at);

create table link_totals (
  link_id bigint primary key references links (id) on delete cascade,
  visits bigint not null,
  last_visit_at bigint not null
) ${clustered};

create table visit_batches (
  id ${id},
  packed ${bytes} not null
);

create table visit_imports (
  link_id bigint not null references links (id) on delete cascade,
  key ${text} not null,
  primary key (link_id, key)
) ${clustered};

create table visit_names (
  id ${id},
  name ${text} not null unique,
  used_in bigint not null default 0
);

-- Counts and sketches have no foreign keys: they may be too many to delete in one statement with their owner.
create table link_counts (
  owner_id bigint not null,
  bucket bigint not null,
  packed ${bytes} not null,
  primary key (owner_id, bucket)
) ${clustered};

create table account_counts (
  owner_id bigint not null,
  bucket bigint not null,
  packed ${bytes} not null,
  primary key (owner_id, bucket)
) ${clustered};

create table link_sketches (
  link_id bigint not null,
  dimension bigint not null,
  day bigint not null,
  visits bigint not null,
  sketch ${bytes} not null,
  primary key (link_id, dimension, day)
) ${clustered};
create index link_sketches_day on link_sketches (dimension, day);

create table account_sketches (
  account_id bigint not null,
  dimension bigint not null,
  day bigint not null,
  visits bigint not null,
  sketch ${bytes} not null,
  primary key (account_id, dimension, day)
) ${clustered};
create index account_sketches_day on account_sketches (dimension, day);

create table account_values (
  account_id bigint not null references accounts (id) on delete cascade,
  day bigint not null,
  count bigint not null,
  primary key (account_id, day)
);

create table counts_to_remove (
  owner ${text} not null,
  id bigint not null,
  account_id bigint not null,
  primary key (owner, id)
) ${clustered};

create table job_runs (
  job ${text} primary key,
  started_at bigint not null,
  ended_at bigint,
  error ${text}
);

create table plugin_migrations (
  feature ${text} not null,
  name ${text} not null,
  checksum ${text} not null,
  applied_at bigint not null,
  primary key (feature, name)
);

create table plugin_store (
  feature ${text} not null,
  key ${text} not null,
  value ${text} not null,
  primary key (feature, key)
) ${clustered};

create table event_listeners (
  feature ${text} primary key,
  kinds ${text} not null,
  failures bigint not null,
  problem ${text},
  seen_at bigint not null
);

create table outbox (
  id ${id},
  feature ${text} not null,
  event ${text} not null
);
create index outbox_feature on outbox (feature, id);

create table idempotency_keys (
  account_id bigint not null references accounts (id) on delete cascade,
  key ${text} not null,
  request ${text} not null,
  created_at bigint not null,
  started_at bigint not null,
  answer ${bytes},
  primary key (account_id, key)
);

create table idempotency_made (
  account_id bigint not null,
  key ${text} not null,
  part bigint not null,
  made ${text} not null,
  primary key (account_id, key, part),
  foreign key (account_id, key) references idempotency_keys (account_id, key) on delete cascade
)`

export const sqliteHistory: SchemaHistory = {
  tables: tablesIn({
    id: 'integer primary key autoincrement',
    text: 'text',
    bytes: 'blob',
    clustered: 'without rowid',
  }).split(';\n'),
  steps,
}

/** The channel on which servers hear of changes. */
export const newsChannel = 'linnet'

/** The database itself tells of changes of links and accounts, whoever makes them: a server, a command, psql. */
const tellOfRows = [
  `create function linnet_tell() returns trigger language plpgsql as $$
  declare
    detail text := to_jsonb(old) ->> tg_argv[1];
  begin
    if tg_nargs = 1 then
      perform pg_notify('${newsChannel}', tg_argv[0]);
    elsif detail is not null then
      perform pg_notify('${newsChannel}', tg_argv[0] || ' ' || detail);
    end if;
    return null;
  end $$`,
  `create trigger linnet_tell after update or delete on links
    for each row execute function linnet_tell('link', 'id')`,
  `create trigger linnet_tell after update or delete on short_codes
    for each row execute function linnet_tell('link', 'link_id')`,
  `create trigger linnet_tell after update of plan, links_closed or delete on accounts
    for each row execute function linnet_tell('account', 'id')`,
  `create trigger linnet_tell after insert on outbox
    for each statement execute function linnet_tell('events')`,
  `create trigger linnet_tell after insert or update of kinds or delete on event_listeners
    for each statement execute function linnet_tell('listeners')`,
]

/** Unlogged: after a crash of the server all windows start anew, and no statement waits for a disk. */
const limitUses = `create unlogged table limit_uses (
  key text collate "C" primary key,
  uses bigint not null,
  ends_at timestamptz not null
)`

export const postgresHistory: SchemaHistory = {
  tables: [
    ...tablesIn({
      id: 'bigint generated by default as identity primary key',
      text: 'text collate "C"',
      bytes: 'bytea',
      clustered: '',
    }).split(';\n'),
    ...tellOfRows,
    limitUses,
  ],
  steps,
}
