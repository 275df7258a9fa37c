/** Where the tables of a dump or a database go. */
export interface TableSink {
  /**
   * Where the rows of a table go; undefined if nobody wants them. `columns` are undefined if a dump does not say them: then it
   * throws for a table that somebody wants.
   */
  open(table: string, columns: readonly string[] | undefined): RowSink | undefined
  /** Hears which tables there are. Whether somebody may want the rows of this one. */
  declare(table: string, columns: readonly string[]): boolean
}

/** Where the rows of a table go. */
export interface RowSink {
  /** For each column of the table, its place in a row; -1 for those that nobody wants. */
  readonly places: readonly number[]
  /** How many columns are wanted. */
  readonly width: number
  row(values: readonly Value[]): void
  /** Hears that the next row cannot be read, and why. */
  refuse(reason: string): void
}

/** A value as text of UTF-8, whatever its type is. */
export type Value = Uint8Array | string | null

/** What is longer is no URL, no title and no password. Enough comes that it is refused as too long. */
export const maxValueChars = 32_768
