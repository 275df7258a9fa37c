import { Socket } from 'node:net'
import pg from 'pg'
import { failureOfServer } from './postgres-failure.ts'

/** A statement, and what is put in its places. */
export interface Statement {
  readonly sql: string
  /** Absent: it is said in one go, be it several statements, and never prepared. */
  readonly parameters?: readonly unknown[]
}

export type StatementResult = pg.QueryResult

/** The connection that writes, until it is lost: then all that is asked fails. */
export interface Writer {
  ask(asked: Statement): Promise<StatementResult>
  /** Let go of it, for nobody knows what it is in. */
  drop(): Promise<void>
}

/** Where statements go; each of the two gives another connection when the one before was lost. */
export interface Clients {
  /** One at a time may use it. */
  writer(): Promise<Writer>
  /** Several at once, each over a connection of its own. */
  read(asked: Statement): Promise<StatementResult>
  /** What redirects wait for: it has connections that nothing else is asked over, and little time. */
  find(asked: Statement): Promise<StatementResult>
  /** Tables are other ones than before. */
  tablesChanged(): void
  /** The server says nothing any more: whoever waits for it hears that now, and connects anew. */
  letGo(): void
  close(): Promise<void>
}

export interface ClientsOptions {
  readonly url: string
  /** Done on each connection that is to write before it does. */
  readonly prepareWriter?: ((client: pg.Client) => Promise<void>) | undefined
  /** Milliseconds after which the server gives a statement up; 0: never. */
  readonly statementMs?: number
}

const connectMs = 5_000

/** For reports on much; redirects have a limit of their own. */
const statementMs = 30_000

/**
 * A transaction that says nothing for so long is undone by the server: whose it is may be cut off, and nobody else can
 * write meanwhile. Hooks of plugins are given up earlier.
 */
const silenceMs = 6_000

/** How long a write waits for those of other processes, be one of them cut off. */
const lockMs = 8_000

/** Whatever the server does for others: what was answered survives a power cut. */
const durable = `
  select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`

/**
 * The server notices within five seconds that whoever writes is cut off, also one that waits for the lock: nobody else
 * could write until it did. https://www.postgresql.org/docs/current/runtime-config-connection.html
 */
const noticed = `
  select set_config(name, setting, false) from (values
    ('tcp_keepalives_idle', '2'), ('tcp_keepalives_interval', '1'), ('tcp_keepalives_count', '3'),
    ('tcp_user_timeout', '5000'), ('client_connection_check_interval', '1000')) as settings (name, setting)`

/** Said once connected: poolers refuse limits that come with the connection. */
function limitsOf(withinMs: number): string {
  return `
    set statement_timeout = ${withinMs}; set lock_timeout = ${lockMs};
    set idle_in_transaction_session_timeout = ${silenceMs}`
}

/** So many read at once, and so many look up links. */
const readers = 8
const finders = 2

/** How long a redirect waits, for a connection too. */
const findMs = 3_000

/** How long a statement may take before the connection is held for dead: the server gives up earlier. */
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
      // Not every system of a server can do that.
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
    find: asked => askOver(findPool, ready(asked, findMs)),

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

/** Connections may be lost, idle or not: whoever asks over one is told, and who comes next has another. */
function createPool(config: pg.PoolConfig, limits: string): pg.Pool {
  const pool = new pg.Pool({ ...config, allowExitOnIdle: true })
  const ignore = () => undefined
  pool.on('error', ignore)
  // The pool listens only to those that nobody has, and an error that nobody hears ends the process.
  pool.on('connect', client => {
    client.on('error', ignore)
    // Whatever is asked comes after it; a connection that cannot be told of limits answers nothing else either.
    client.query(limits).catch(ignore)
  })
  return pool
}

async function askOver(pool: pg.Pool, query: pg.QueryConfig): Promise<StatementResult> {
  try {
    const client = await pool.connect()
    try {
      const answered = await client.query(query)
      client.release()
      return answered
    } catch (error) {
      // What was wrong with the statement leaves the connection as it was.
      client.release(!(error instanceof pg.DatabaseError))
      throw error
    }
  } catch (error) {
    throw failureOfServer(error)
  }
}

/** PostgreSQL keeps no NUL in a text; it becomes what half a surrogate pair becomes on its way there. */
function storable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(storable)
  return typeof value === 'string' && value.includes('\0')
    ? value.replaceAll('\0', '\uFFFD')
    : value
}

/** Numbers, and 0 or 1 for truth: as SQLite gives them. */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  [pg.types.builtins.BOOL]: text => (text === 't' ? 1 : 0),
  [pg.types.builtins.INT8]: wholeNumber,
  // What sums of whole numbers are.
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

/** So many texts are prepared at most: the server keeps each for as long as a connection lasts. */
const maxPrepared = 300

/** Gives a name to what is asked more than once, so that the server parses and plans it once. */
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

  /** What was prepared for other tables answers no more. */
  forget(): void {
    this.#names.clear()
  }
}
