import type { Kysely } from 'kysely'
import { UserError } from '../../core/lib/user-error.ts'
import type { Database } from '../../core/storage/database.ts'
import type { AnyTables } from './table.ts'

/** One of the two databases of a move. */
export interface End {
  readonly db: Database
  /** Every column of every table, in order, except those of the table that the move itself keeps. */
  columns(): Promise<readonly Column[]>
  close(): Promise<void>
}

/** Where rows come from: nobody can write to it until it is closed. */
export interface Source extends End {
  /** The last number that each table generated for a row, by table. */
  numbers(): Promise<ReadonlyMap<string, number>>
  /** Throws if somebody may have written after all. */
  expectUnchanged(): Promise<void>
}

/** Where rows go: it has all tables of Linnet, but is not usable as a database before `finish`. */
export interface Target extends End {
  /** Remove the rows that creating the tables inserted, and allow rows to arrive in any order. */
  clear(): Promise<void>
  /** Make it a usable database, which generates numbers above these. */
  finish(numbers: ReadonlyMap<string, number>): Promise<void>
}

export interface Column {
  readonly table: string
  readonly column: string
  /** Position in the primary key, from 1; 0 if the column is not in it. */
  readonly place: number
}

/** The target contains this instance already: an earlier move there is finished. */
export class FinishedMove extends UserError {
  /** Opens what the target contains, for a comparison. */
  readonly open: () => Promise<End>

  constructor(message: string, open: () => Promise<End>) {
    super(message)
    this.open = open
  }
}

/** The same database, for statements on tables that are known by name only. */
export function anyTablesOf(db: Database): Kysely<AnyTables> {
  const untyped = db as Kysely<unknown>
  return untyped as Kysely<AnyTables>
}
