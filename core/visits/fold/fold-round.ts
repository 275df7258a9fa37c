import type { Database, Tx } from '../../storage/database.ts'
import { createNameTable, type NameTable } from '../wire/name-table.ts'
import { openBatch, type PlaceOfLink } from '../wire/packed-batch.ts'
import type { LinkCounts, VisitBatch } from '../wire/visit-batch.ts'

/** So many batches are folded together: some two hundred thousand visits. */
const maxBatches = 96

/** Where the database has how far a round is that is written in more than one transaction. */
const key = 'fold.round'

/**
 * The oldest batches, to be folded together: what they have in common is then written once. They are
 * written slice by slice, in the order of links, for neighbours share a page; how far that is stands in the
 * database, so that who comes after a crash goes on there.
 */
export class FoldRound {
  /** The id of the last batch; 0 when there was none. */
  readonly upTo: number
  /** It has all that was stored when it was opened. */
  readonly isWhole: boolean
  readonly #names: NameTable = createNameTable()
  readonly #ids: readonly number[]
  /** In the order of links. */
  readonly #parts: readonly Part[]
  #written: number

  /** Reads what is stored. Throws a sentence when a batch cannot be read. */
  static async open(db: Database): Promise<FoldRound> {
    const begun = await readBegun(db)
    const rows = await db
      .selectFrom('visit_batches')
      .select(['id', 'packed'])
      .where('id', '<=', begun?.upTo ?? Number.MAX_SAFE_INTEGER)
      .orderBy('id')
      .limit(maxBatches)
      .execute()
    return new FoldRound(rows, begun)
  }

  constructor(
    rows: readonly { readonly id: number; readonly packed: Uint8Array }[],
    begun: Begun | undefined,
  ) {
    this.upTo = rows.at(-1)?.id ?? 0
    this.isWhole = rows.length < maxBatches && begun === undefined
    this.#written = begun?.written ?? 0
    this.#ids = rows.map(({ id }) => id)
    this.#parts = rows
      .flatMap(({ id, packed }) => partsOf(id, packed, this.#names))
      .sort((a, b) => a.linkId - b.linkId)
  }

  get isOver(): boolean {
    return this.#written >= this.#parts.length
  }

  /** So many of the parts that come next; a link has one for each batch that it is in. */
  next(most: number): VisitBatch {
    const parts = this.#parts.slice(this.#written, this.#written + most)
    return { names: this.#names, links: parts.map(({ place, read }) => read(place)) }
  }

  /**
   * In the transaction that writes so many parts: note that, or remove the batches when these are the last.
   * Of two processes that fold the same only one gets by: the other throws, and starts over.
   */
  async note(tx: Tx, most: number): Promise<void> {
    const begun = await readBegun(tx)
    const isSame = begun === undefined ? this.#written === 0 : begun.written === this.#written
    if (!isSame || (begun && begun.upTo !== this.upTo)) throw anotherFolded()
    if (this.#written + most < this.#parts.length) {
      await noteBegun(tx, { upTo: this.upTo, written: this.#written + most })
      return
    }
    const { numDeletedRows } = await tx
      .deleteFrom('visit_batches')
      .where('id', 'in', this.#ids)
      .executeTakeFirstOrThrow()
    if (Number(numDeletedRows) !== this.#ids.length) throw anotherFolded()
    if (begun) await tx.deleteFrom('meta').where('key', '=', key).execute()
  }

  /** Once that transaction is there to stay. */
  advance(most: number): void {
    this.#written += most
  }
}

/** What a batch has of a link. */
interface Part extends PlaceOfLink {
  /** Reads what its batch has there. */
  readonly read: (place: number) => LinkCounts
}

function partsOf(id: number, packed: Uint8Array, names: NameTable): readonly Part[] {
  try {
    const { links, read } = openBatch(packed, names)
    return links.map(link => ({ ...link, read }))
  } catch (cause) {
    throw new Error(
      `The visits in row ${id} of visit_batches cannot be read: ${(cause as Error).message}. ` +
        'Restore a backup, or delete the row to go on without them.',
      { cause },
    )
  }
}

/** A round that is written in part. */
interface Begun {
  readonly upTo: number
  /** How many parts are written. */
  readonly written: number
}

async function readBegun(db: Database): Promise<Begun | undefined> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst()
  return row && (JSON.parse(row.value) as Begun)
}

async function noteBegun(tx: Tx, begun: Begun): Promise<void> {
  const value = JSON.stringify(begun)
  await tx
    .insertInto('meta')
    .values({ key, value })
    .onConflict(conflict => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

function anotherFolded(): Error {
  return new Error('Another process folded the same visits: try again.')
}
