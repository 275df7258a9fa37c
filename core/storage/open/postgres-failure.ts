import pg from 'pg'
import { UnusableDatabase } from '../files/inspect-file.ts'
import { ServerAway } from '../files/out-of-reach.ts'

/**
 * Errors about the server and not about the statement: no connection, no memory or disk, a shutdown, a standby, a
 * lock or a statement that took too long. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const passing = /^(08|53|57P0|57014|55P03|25006|25P03|40001|40P01|58)/

/** The address of a database, for people: without user name and password. */
export function withoutSecrets(url: string): string {
  const { host, pathname } = new URL(url)
  return `${decodeURIComponent(host)}${pathname}`
}

/**
 * Translates an error of the client: a `ServerAway` if the server cannot be used now, or the error itself if the
 * statement is wrong.
 */
export function failureOfServer(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ServerAway) return error
  // A connection that is refused for now; at startup, its message is what people are told.
  if (error instanceof UnusableDatabase) return new ServerAway(error.message, { cause: error })
  if (error instanceof pg.DatabaseError) {
    return passing.test(error.code ?? '') ? new ServerAway(error.message, { cause: error }) : error
  }
  return isOfConnection(error) ? new ServerAway(error.message, { cause: error }) : error
}

/** Errors of the client itself have no code, and those of the system have one. */
function isOfConnection(error: Error): boolean {
  return (
    ('code' in error && typeof error.code === 'string' && /^E[A-Z_]+$/.test(error.code)) ||
    /terminated|timeout|not queryable|SSL|closed|after calling end/i.test(error.message)
  )
}

/** Whether the connection was lost at once: the server may answer on another one. */
export function wasLost(error: unknown): boolean {
  return (
    error instanceof ServerAway &&
    /ECONNRESET|EPIPE|terminated unexpectedly|not queryable/.test(error.message)
  )
}

/** Why a database cannot be used at all, with what to do; `where` names it without secrets. */
export function whyNotOpened(error: unknown, where: string): unknown {
  const cause = error instanceof ServerAway ? error.cause : error
  if (!(cause instanceof Error)) return error
  if (cause instanceof UnusableDatabase) return cause
  const code = 'code' in cause ? String(cause.code) : ''
  const sentence = sentenceFor(code, cause.message, where)
  return sentence === undefined ? error : new UnusableDatabase(sentence, { cause: error })
}

function sentenceFor(code: string, message: string, where: string): string | undefined {
  if (/pg_hba\.conf/.test(message)) {
    return `PostgreSQL does not accept this connection (${where}): ${message}. Add sslmode=verify-full to DATABASE_URL if only encrypted connections are accepted; otherwise correct the name in it, or pg_hba.conf.`
  }
  if (/^28/.test(code)) {
    return `PostgreSQL refuses the name or the password in DATABASE_URL (${where}): ${message}. Correct them.`
  }
  if (code === '3D000') {
    return `There is no such database: ${where}. Create it, for example with createdb, or correct DATABASE_URL.`
  }
  // The client says this, and has no code for it.
  if (/client password must be/.test(message)) {
    return `PostgreSQL asks for a password (${where}). Add it to DATABASE_URL, or set PGPASSWORD.`
  }
  if (code === '42501') {
    return `PostgreSQL does not let Linnet make or use its tables in ${where}: ${message}. Make its user the owner of the database and of all tables in it.`
  }
  if (code === '42P07') {
    return `Linnet cannot make its tables in ${where}: ${message}. Give it an empty database of its own.`
  }
  if (code === '53300') {
    return `PostgreSQL has no connection left for Linnet at ${where}: ${message}. Raise max_connections or the limit of the user.`
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `The host of DATABASE_URL is not known (${where}). Correct it, or check the DNS of this machine.`
  }
  if (/SSL|certificate/i.test(message)) {
    return `No secure connection to PostgreSQL can be made (${where}): ${message}. Correct sslmode in DATABASE_URL or the server's certificate, or name the file of its authority with sslrootcert.`
  }
  if (/^E[A-Z]+: .*, open /.test(message)) {
    return `A file that DATABASE_URL names cannot be read: ${message}. Correct its path, or let Linnet read it.`
  }
  if (/^E[A-Z]+$/.test(code) || /^(08|53|57P)/.test(code) || /timeout|terminated/i.test(message)) {
    return `PostgreSQL cannot be reached at ${where}: ${message || code}. Check that it is running, and DATABASE_URL.`
  }
  return undefined
}
