import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import type { AnyTables } from './table.ts'

/** What comes to nothing; the message says why, and what to do. */
export class MoveFailed extends Error {
  override readonly name = 'MoveFailed'
}

/** One of the two databases of a move. */
export interface End {
  readonly db: Database
  /** Every column of every table, in order, but of the table that the move itself keeps. */
  columns(): Promise<readonly Column[]>
  close(): Promise<void>
}

/** Where rows come from: nobody writes to it until it is closed. */
export interface Source extends End {
  /** By table, the last number that it gave to a row by itself. */
  numbers(): Promise<ReadonlyMap<string, number>>
  /** Throws when somebody may have written after all. */
  expectUnchanged(): Promise<void>
}

/** Where they go: it has all tables of Linnet, and is nobody's database before `finish`. */
export interface Target extends End {
  /** Take away what making the tables put into them, and let rows come in any order. */
  clear(): Promise<void>
  /** Make it a database that can be used, which gives numbers above these. */
  finish(numbers: ReadonlyMap<string, number>): Promise<void>
}

export interface Column {
  readonly table: string
  readonly column: string
  /** Where it is in the primary key, from 1; 0: it is not in it. */
  readonly place: number
}

/** The same database, for statements on tables that are known by name only. */
export function anyTablesOf(db: Database): Kysely<AnyTables> {
  const untyped = db as Kysely<unknown>
  return untyped as Kysely<AnyTables>
}
