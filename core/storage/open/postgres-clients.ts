import { Socket } from 'node:net'
import pg from 'pg'
import { failureOfServer, wasLost } from './postgres-failure.ts'

/** A statement and its parameters. */
export interface Statement {
  readonly sql: string
  /** If absent, the text may contain several statements, runs in one go, and is never prepared. */
  readonly parameters?: readonly unknown[]
}

export type StatementResult = pg.QueryResult

/** The connection that writes. Once it is lost, every statement fails. */
export interface Writer {
  ask(asked: Statement): Promise<StatementResult>
  /** Close it, because the state of its transaction is unknown. */
  drop(): Promise<void>
}

/** Where statements go; a lost connection is replaced by another. */
export interface Clients {
  /** Only one caller at a time may use it. */
  writer(): Promise<Writer>
  /** For several callers at once, each on a connection of its own. */
  read(asked: Statement): Promise<StatementResult>
  /** For what redirects wait for: it has connections that nothing else uses, and little time. */
  find(asked: Statement): Promise<StatementResult>
  /** Call this after tables have changed. */
  tablesChanged(): void
  /** Call this when the server no longer answers: everybody who waits for it fails now, and connects again. */
  letGo(): void
  close(): Promise<void>
}

export interface ClientsOptions {
  readonly url: string
  /** Called with each connection that is to write, before it writes. */
  readonly prepareWriter?: ((client: pg.Client) => Promise<void>) | undefined
  /** After how many milliseconds the server aborts a statement; 0 means never. */
  readonly statementMs?: number
}

const connectMs = 5_000

/** Long enough for large reports; redirects have a limit of their own. */
const statementMs = 30_000

/**
 * The server undoes a transaction that is silent for this long: its client may be cut off, and nobody else can write
 * meanwhile. Hooks of plugins time out earlier.
 */
const silenceMs = 6_000

/** How long a write waits for those of other processes, even if one of them is cut off. */
const lockMs = 8_000

/** Whatever the default of the server is: what was confirmed survives a power cut. */
const durable = `
  select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`

/**
 * Lets the server notice within five seconds that a writer is cut off, even one that waits for the lock: nobody else
 * could write until then. https://www.postgresql.org/docs/current/runtime-config-connection.html
 */
const noticed = `
  select set_config(name, setting, false) from (values
    ('tcp_keepalives_idle', '2'), ('tcp_keepalives_interval', '1'), ('tcp_keepalives_count', '3'),
    ('tcp_user_timeout', '5000'), ('client_connection_check_interval', '1000')) as settings (name, setting)`

/** Set after connecting: poolers refuse limits in the startup message. */
function limitsOf(withinMs: number): string {
  return `
    set statement_timeout = ${withinMs}; set lock_timeout = ${lockMs};
    set idle_in_transaction_session_timeout = ${silenceMs}`
}

/** How many connections read at once. */
const readers = 8
/** How many connections look up links. */
export const finders = 2

/** How long a redirect waits for an answer, or for a connection. */
const findMs = 3_000

/**
 * How much longer than its limit a statement may take before the connection counts as dead: the server aborts it
 * earlier.
 */
const graceMs = 5_000

export function createClients({
  url,
  prepareWriter,
  statementMs: most = statementMs,
}: ClientsOptions): Clients {
  const sockets = new Set<Socket>()
  const config = {
    connectionString: url,
    stream() {
      const socket = new Socket()
      sockets.add(socket.once('close', () => sockets.delete(socket)))
      return socket
    },
    application_name: 'linnet',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    types: { getTypeParser },
  } as const
  const names = new Names()
  const readPool = createPool({ ...config, max: readers }, limitsOf(most))
  const findPool = createPool(
    { ...config, max: finders, connectionTimeoutMillis: findMs },
    limitsOf(findMs),
  )
  let writer: Promise<Writer> | undefined

  function connectWriter(): Promise<Writer> {
    const lose = () => {
      if (writer === connecting) writer = undefined
    }
    const connecting = connect(lose)
    writer = connecting
    connecting.catch(lose)
    return connecting
  }

  async function connect(lose: () => void): Promise<Writer> {
    const client = new pg.Client(config)
    client.on('error', lose)
    client.on('end', lose)
    const drop = async () => {
      lose()
      await client.end().catch(() => undefined)
    }
    try {
      await client.connect()
      await client.query(limitsOf(most))
      await client.query(durable)
      // Not every operating system of a server supports this.
      await client.query(noticed).catch(() => undefined)
      await prepareWriter?.(client)
    } catch (error) {
      void drop()
      throw failureOfServer(error)
    }
    return {
      drop,
      async ask(asked) {
        try {
          return await client.query(ready(asked, usual))
        } catch (error) {
          throw failureOfServer(error)
        }
      },
    }
  }

  const ready = ({ sql, parameters }: Statement, withinMs: number) => ({
    text: sql,
    ...(parameters && { name: names.of(sql), values: parameters.map(storable) }),
    ...(withinMs > 0 && { query_timeout: withinMs }),
  })
  const usual = most === 0 ? 0 : most + graceMs

  return {
    writer: () => writer ?? connectWriter(),

    read: asked => askOver(readPool, ready(asked, usual)),
    find: asked => findOver(findPool, ready(asked, findMs)),

    tablesChanged: () => names.forget(),
    letGo() {
      for (const socket of sockets) socket.destroy()
    },

    async close() {
      const last = writer
      writer = undefined
      await Promise.allSettled([readPool.end(), findPool.end(), last?.then(it => it.drop())])
    },
  }
}

/** Connections may be lost at any time: the statement on one fails, and the next gets another connection. */
function createPool(config: pg.PoolConfig, limits: string): pg.Pool {
  const pool = new pg.Pool({ ...config, allowExitOnIdle: true })
  const ignore = () => undefined
  pool.on('error', ignore)
  // The pool listens only to idle connections, and an error that nobody handles ends the process.
  pool.on('connect', client => {
    client.on('error', ignore)
    // Statements run after it; a connection on which this fails answers nothing else either.
    client.query(limits).catch(ignore)
  })
  return pool
}

/**
 * Connections may be dead without anybody having noticed, such as those to a server whose address another one has now.
 * A look-up changes nothing, so it is made again. Each that is lost leaves the pool.
 */
async function findOver(pool: pg.Pool, query: pg.QueryConfig): Promise<StatementResult> {
  for (let left = finders; ; left -= 1) {
    try {
      return await askOver(pool, query)
    } catch (error) {
      if (left === 0 || !wasLost(error)) throw error
    }
  }
}

async function askOver(pool: pg.Pool, query: pg.QueryConfig): Promise<StatementResult> {
  try {
    const client = await pool.connect()
    try {
      const answered = await client.query(query)
      client.release()
      return answered
    } catch (error) {
      // An error in the statement itself leaves the connection usable.
      client.release(!(error instanceof pg.DatabaseError))
      throw error
    }
  } catch (error) {
    throw failureOfServer(error)
  }
}

/** PostgreSQL stores no NUL in a text; it becomes U+FFFD, like half a surrogate pair on its way there. */
function storable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(storable)
  return typeof value === 'string' && value.includes('\0')
    ? value.replaceAll('\0', '\uFFFD')
    : value
}

/** Numbers, and 0 or 1 for booleans, as SQLite returns them. */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  [pg.types.builtins.BOOL]: text => (text === 't' ? 1 : 0),
  [pg.types.builtins.INT8]: wholeNumber,
  // The type of sums of whole numbers.
  [pg.types.builtins.NUMERIC]: wholeNumber,
}

function getTypeParser(type: number, format?: 'text' | 'binary') {
  return (format !== 'binary' && parsers[type]) || pg.types.getTypeParser(type, format as 'text')
}

function wholeNumber(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
    throw new RangeError(`${text} is too large to be an exact number.`)
  }
  return number
}

/** How many statements to prepare at most: the server keeps each for as long as a connection lasts. */
const maxPrepared = 300

/** Names statements that run more than once, so that the server parses and plans them once. */
class Names {
  readonly #names = new Map<string, string>()
  readonly #askedOnce = new Set<string>()
  #made = 0

  of(sql: string): string | undefined {
    const known = this.#names.get(sql)
    if (known !== undefined || this.#names.size === maxPrepared) return known
    if (!this.#askedOnce.delete(sql)) {
      if (this.#askedOnce.size > 10 * maxPrepared) this.#askedOnce.clear()
      this.#askedOnce.add(sql)
      return undefined
    }
    this.#made += 1
    const name = `linnet_${this.#made}`
    this.#names.set(sql, name)
    return name
  }

  /** Statements that were prepared for the old tables no longer work. */
  forget(): void {
    this.#names.clear()
  }
}
