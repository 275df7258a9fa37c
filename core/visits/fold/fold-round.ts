import { sql } from 'kysely'
import type { Database, Tx } from '../../storage/database.ts'
import { readMeta, writeMeta } from '../../storage/meta.ts'
import { createNameTable, type NameTable } from '../wire/name-table.ts'
import { openBatch, type StoredBatch } from '../wire/packed-batch.ts'
import { holdsSums, openPackedSums } from '../wire/packed-sums.ts'
import type { LinkCounts, VisitBatch } from '../wire/visit-batch.ts'
import { LinkSums } from './link-sums.ts'

/** Writing a link takes as much work as adding up this many visits. */
const workOfLink = 4

/** The key in `meta` of rounds that are written in more than one transaction, the one under way first. */
const key = 'fold.round'

/**
 * The oldest batches, folded together so that what they have in common is written once. They are written slice by
 * slice, in the order of links, because neighbours share a page. The progress is stored in the database, so that the
 * next process can continue after a crash. If it has less memory, it folds the first of the batches to the end, as a
 * round within that round, and then the others.
 */
export class FoldRound {
  /** The id of the last batch; 0 if there are none. */
  readonly upTo: number
  /** Whether it contains everything that was stored when it was opened. */
  readonly isWhole: boolean
  readonly #names: NameTable = createNameTable()
  readonly #ids: readonly number[]
  readonly #batches: readonly StoredBatch[]
  /** Parts of batches in the order of links. */
  readonly #parts: Parts
  readonly #sums = new LinkSums()
  /** The rounds that this one is a piece of. */
  readonly #around: readonly Begun[]
  /** What the database says of rounds, and what it will say once the transaction is committed. */
  #noted: string | undefined
  #noting: string | undefined
  #written: number

  /** Reads stored batches up to about `roundBytes` bytes. Throws a sentence if a batch cannot be read. */
  static async open(db: Database, roundBytes: number): Promise<FoldRound> {
    const noted = await readMeta(db, key)
    const begun: readonly Begun[] = noted === undefined ? [] : JSON.parse(noted)
    const rows = await readBytes(db, roundBytes, begun[0]?.upTo)
    const bytes = rows.reduce((sum, { packed }) => sum + packed.length, 0)
    return new FoldRound(rows, begun, noted, begun.length === 0 && bytes < roundBytes)
  }

  constructor(
    rows: readonly Row[],
    begun: readonly Begun[],
    noted: string | undefined,
    isWhole: boolean,
  ) {
    const [latest] = begun
    this.upTo = rows.at(-1)?.id ?? 0
    this.isWhole = isWhole
    this.#noted = noted
    this.#around = latest?.upTo === this.upTo ? begun.slice(1) : begun
    this.#ids = rows.map(({ id }) => id)
    this.#batches = rows.map(({ id, packed }) => openStored(id, packed, this.#names))
    this.#parts = partsOf(this.#batches)
    this.#written = latest ? this.#countUpTo(latest.last) : 0
  }

  get isOver(): boolean {
    return this.#written >= this.#parts.size
  }

  /** The next slice: as many links as make up `most` units of work, or at least a part of one. */
  next(most: number): Slice {
    const { size, linkIds, batches, parts } = this.#parts
    const links: LinkCounts[] = []
    let work = 0
    let at = this.#written
    while (at < size && work < most) {
      const linkId = linkIds[at] ?? 0
      this.#sums.begin(linkId)
      do {
        this.#batches[batches[at] ?? 0]?.add(parts[at] ?? 0, this.#sums)
        at += 1
        work += 1
      } while (linkIds[at] === linkId && work < most)
      links.push(this.#sums.end())
      work += workOfLink
    }
    return { names: this.#names, links, end: at }
  }

  /**
   * Call this in the transaction that writes a slice: it stores the progress, or removes the batches at the end. Of
   * two processes that fold the same batches, only one succeeds: the other one throws, and starts over.
   */
  async note(tx: Tx, end: number): Promise<void> {
    if ((await readMeta(tx, key)) !== this.#noted) throw new FoldedElsewhere()
    const isOver = end >= this.#parts.size
    const begun = isOver
      ? this.#around
      : [{ upTo: this.upTo, last: this.#partAt(end - 1) }, ...this.#around]
    this.#noting = begun.length > 0 ? JSON.stringify(begun) : undefined
    if (this.#noting !== undefined) await writeMeta(tx, key, this.#noting)
    else if (this.#noted !== undefined) await tx.deleteFrom('meta').where('key', '=', key).execute()
    if (!isOver) return
    const { numDeletedRows } = await tx
      .deleteFrom('visit_batches')
      .where('id', 'in', this.#ids)
      .executeTakeFirstOrThrow()
    if (Number(numDeletedRows) !== this.#ids.length) throw new FoldedElsewhere()
  }

  /** Call this once that transaction is committed. */
  advance(end: number): void {
    this.#written = end
    this.#noted = this.#noting
  }

  /** How many parts stand before a place, and in it. */
  #countUpTo([linkId, batchId, part]: BatchPart): number {
    let at = 0
    for (; at < this.#parts.size; at += 1) {
      const [ofLink, ofBatch, ofPart] = this.#partAt(at)
      if ((ofLink - linkId || ofBatch - batchId || ofPart - part) > 0) break
    }
    return at
  }

  #partAt(at: number): BatchPart {
    const { linkIds, batches, parts } = this.#parts
    return [linkIds[at] ?? 0, this.#ids[batches[at] ?? 0] ?? 0, parts[at] ?? 0]
  }
}

/** Counts of links; the last link may be incomplete. */
interface Slice extends VisitBatch {
  /** How many parts of the round are written once this slice is. */
  readonly end: number
}

interface Row {
  readonly id: number
  readonly packed: Uint8Array
}

/** In one statement, because another process may fold some of them at any moment. */
function readBytes(
  db: Database,
  bytes: number,
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<readonly Row[]> {
  const before = sql<number>`sum(length(packed)) over (order by id) - length(packed)`
  const all = db.selectFrom('visit_batches').select(['id', before.as('bytes_before')])
  return db
    .selectFrom('visit_batches')
    .selectAll()
    .where('id', 'in', from =>
      from.selectFrom(all.as('all')).select('all.id').where('bytes_before', '<', bytes),
    )
    .where('id', '<=', upTo)
    .orderBy('id')
    .execute()
}

function openStored(id: number, packed: Uint8Array, names: NameTable): StoredBatch {
  try {
    return holdsSums(packed) ? openPackedSums(packed, names) : openBatch(packed, names)
  } catch (cause) {
    throw new Error(
      `The visits in row ${id} of visit_batches cannot be read: ${(cause as Error).message}. ` +
        'Restore a backup, or delete the row to go on without them.',
      { cause },
    )
  }
}

/** Parts of batches, in columns, because there are hundreds of thousands. */
interface Parts {
  readonly size: number
  readonly linkIds: Float64Array
  /** The batch that contains it, and its number in that batch. */
  readonly batches: Uint32Array
  readonly parts: Uint32Array
}

/** Parts in the order of links, and within a link in the order in which they came, which is always the same. */
function partsOf(batches: readonly StoredBatch[]): Parts {
  const size = batches.reduce((sum, { linkIds }) => sum + linkIds.length, 0)
  const batchOf = new Uint32Array(size)
  const partOf = new Uint32Array(size)
  /** Link and place as one number: sorting these is faster than looking each link up. */
  const keys = new Float64Array(size)
  let place = 0
  for (const [batch, { linkIds }] of batches.entries()) {
    for (let part = 0; part < linkIds.length; part += 1) {
      batchOf[place] = batch
      partOf[place] = part
      keys[place] = (linkIds[part] ?? 0) * size + place
      place += 1
    }
  }
  keys.sort()
  const inOrder: Parts = {
    size,
    linkIds: new Float64Array(size),
    batches: new Uint32Array(size),
    parts: new Uint32Array(size),
  }
  for (let at = 0; at < size; at += 1) {
    const key = keys[at] ?? 0
    const linkId = Math.floor(key / size)
    const from = key - linkId * size
    inOrder.linkIds[at] = linkId
    inOrder.batches[at] = batchOf[from] ?? 0
    inOrder.parts[at] = partOf[from] ?? 0
  }
  return inOrder
}

/** Where a part stands in a round: its link, the id of its batch, and its number in that. */
type BatchPart = readonly [linkId: number, batchId: number, part: number]

/** A round that is partly written. */
interface Begun {
  readonly upTo: number
  /** The last part that is written. It says the same in every piece of the round. */
  readonly last: BatchPart
}

/** Another process folded the same visits: the rest has to be read again. */
export class FoldedElsewhere extends Error {
  override readonly message = 'Another process folded the same visits.'
}
