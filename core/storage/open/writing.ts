import type BetterSqlite3 from 'better-sqlite3'
import { createTurns, type EndTurn } from '../../lib/async/turns.ts'
import { putOff } from '../../lib/async/yield-to-redirects.ts'
import { currentLane } from '../acting.ts'
import type { Damage } from '../files/damage.ts'
import type { LogFlush } from '../files/log-flush.ts'
import { whenFree } from './when-free.ts'
import type { WriteGate } from './write-gate.ts'

/**
 * How many writers may share a commit, and for how many turns of the event loop a commit may be put off: nobody else
 * gets the lock meanwhile.
 */
const maxParts = 32
const maxTurns = 64

export interface WritingParts {
  readonly writer: BetterSqlite3.Database
  readonly gate: WriteGate
  readonly damage: Damage
  /** Makes durable what the writer commits. */
  readonly logFlush: LogFlush
}

/** The work of one writer, which has the connection until it commits or rolls back. */
export interface OpenWrite {
  run<T>(work: () => T): T
  /** Resolves when the work is durable; `seen` is called earlier, when everybody can see it. */
  commit(seen?: () => void): Promise<void>
  /** Undo the work, unless it was committed or has been undone already. */
  rollback(): void
}

/**
 * Gives writers a connection one at a time; accounts and plugins take turns. A writer that finishes while others wait leaves
 * the transaction open for them, because most of the cost of a commit does not depend on how many share it. A failed
 * part is undone alone; a failed commit fails for everybody in it.
 */
export class Writing {
  readonly #parts: WritingParts
  readonly #turns = createTurns()
  readonly #sql: Readonly<Record<keyof typeof statements, () => unknown>>
  #open: OpenTransaction | undefined

  constructor(parts: WritingParts) {
    this.#parts = parts
    this.#sql = prepareAll(parts)
  }

  /** Whether there are writes that nobody else can see yet. */
  isUnderWay(): boolean {
    return this.#open !== undefined
  }

  /** Resolves when it is the caller's turn to write. */
  async begin(): Promise<OpenWrite> {
    const askedAt = performance.now()
    const endTurn = await this.#turns.take(currentLane())
    try {
      await this.#mendLog(askedAt)
      return this.#partOf(this.#open ?? (await this.#openAnother(askedAt)), endTurn)
    } catch (error) {
      this.#parts.gate.failed(error)
      this.#leave(endTurn)
      throw error
    }
  }

  /** Runs `work` while nobody else has the connection. */
  async inTurn<T>(work: () => T): Promise<T> {
    const askedAt = performance.now()
    const endTurn = await this.#turns.take(currentLane())
    try {
      return await whenFree(askedAt, work)
    } finally {
      this.#leave(endTurn)
    }
  }

  async #openAnother(askedAt: number): Promise<OpenTransaction> {
    this.#parts.gate.check()
    await whenFree(askedAt, this.#sql.begin)
    this.#open = new OpenTransaction()
    return this.#open
  }

  #partOf(open: OpenTransaction, endTurn: EndTurn): OpenWrite {
    // The first part is alone so far: undoing it undoes the whole transaction.
    const isFirst = open.parts === 0
    if (!isFirst) this.#sql.savePoint()
    let isOver = false
    const leave = () => {
      isOver = true
      open.parts += 1
      this.#leave(endTurn)
    }
    return {
      run: work => {
        if (isOver || this.#open !== open) throw open.failure ?? ended
        try {
          return work()
        } catch (error) {
          this.#failed(open, error)
          throw error
        }
      },
      commit: async seen => {
        if (isOver || this.#open !== open) throw open.failure ?? ended
        if (!isFirst) this.#sql.release()
        leave()
        await open.committed
        seen?.()
        await this.#flush(open.parts)
      },
      rollback: () => {
        if (isOver) return
        if (this.#open === open) this.#undo(isFirst)
        leave()
      },
    }
  }

  #undo(isFirst: boolean): void {
    if (!isFirst) {
      this.#sql.toSavePoint()
      this.#sql.release()
    } else {
      this.#open = undefined
      this.#sql.rollback()
    }
  }

  #failed(open: OpenTransaction, error: unknown): void {
    this.#parts.gate.failed(error)
    if (this.#parts.writer.inTransaction) return
    // SQLite has undone the whole transaction by itself, as it may when the disk is full.
    this.#open = undefined
    open.fail(error)
  }

  #leave(endTurn: EndTurn): void {
    endTurn()
    const open = this.#open
    if (open && open.parts >= maxParts) this.#commit(open)
    // The next in line comes through here too.
    else if (open && !open.isPutOff && !this.#turns.isTaken()) this.#commitLater(open)
  }

  #commitLater(open: OpenTransaction): void {
    open.isPutOff = true
    putOff(() => {
      open.isPutOff = false
      if (this.#open === open && !this.#turns.isTaken()) this.#commit(open)
    }, maxTurns)
  }

  #commit(open: OpenTransaction): void {
    this.#open = undefined
    try {
      this.#sql.commit()
      open.resolve()
    } catch (error) {
      this.#parts.gate.failed(error)
      open.fail(error)
      if (this.#parts.writer.inTransaction) this.#sql.rollback()
    }
  }

  /** Makes the log safe before the first write, and after a failed flush. */
  async #mendLog(askedAt: number): Promise<void> {
    const { logFlush, gate } = this.#parts
    if (!logFlush.needsMending()) return
    gate.check()
    if (this.#open) this.#commit(this.#open)
    await whenFree(askedAt, this.#sql.begin)
    try {
      await logFlush.mend()
    } finally {
      this.#sql.rollback()
    }
  }

  async #flush(sharing: number): Promise<void> {
    const { logFlush, gate } = this.#parts
    try {
      await logFlush.flush(sharing)
      gate.succeeded()
    } catch (error) {
      gate.failed(error)
      throw error
    }
  }
}

const ended = new Error('The transaction has ended.')

/** A transaction that several writers use, one after the other. */
class OpenTransaction {
  /** How many writers have finished with it. */
  parts = 0
  isPutOff = false
  /** Why the transaction was undone. */
  failure: unknown
  readonly #end = Promise.withResolvers<void>()
  readonly committed = this.#end.promise
  readonly resolve = this.#end.resolve

  fail(error: unknown): void {
    this.failure = error
    this.#end.reject(error)
    // Perhaps nobody is waiting for it.
    this.committed.catch(() => undefined)
  }
}

const statements = {
  begin: 'begin immediate',
  commit: 'commit',
  rollback: 'rollback',
  savePoint: 'savepoint part',
  toSavePoint: 'rollback to part',
  release: 'release part',
} as const

function prepareAll({ writer, damage }: WritingParts) {
  const prepare = (sql: string) => {
    const statement = writer.prepare(sql)
    return () => damage.watch(() => statement.run())
  }
  return Object.fromEntries(
    Object.entries(statements).map(([name, sql]) => [name, prepare(sql)]),
  ) as Record<keyof typeof statements, () => unknown>
}
