import type BetterSqlite3 from 'better-sqlite3'
import { putOff } from '../../lib/async/own-turn.ts'
import { createTurns, type EndTurn } from '../../lib/async/turns.ts'
import type { Damage } from '../files/damage.ts'
import type { LogFlush } from '../files/log-flush.ts'
import { whenFree } from './when-free.ts'
import type { WriteGate } from './write-gate.ts'

/** So many writers share a commit at most, and for so many turns of the event loop nobody else has the lock. */
const maxParts = 32
const maxTurns = 64

export interface WritingParts {
  readonly writer: BetterSqlite3.Database
  readonly gate: WriteGate
  readonly damage: Damage
  /** Makes durable what the writer commits. */
  readonly logFlush: LogFlush
}

/** What one writer does; it has the connection until either of the two ends it. */
export interface OpenWrite {
  run<T>(work: () => T): T
  /** Resolves when it is durable; `seen` is called before, when everybody can see it. */
  commit(seen?: () => void): Promise<void>
  /** Undo it, unless that has happened by itself, or it was committed. */
  rollback(): void
}

/**
 * Lets writers have a connection one at a time, in the order of asking. Who is done while others
 * are at work leaves the transaction open for them: most of what a commit costs it costs once, however many it
 * is for. What fails is undone alone; a commit that fails is told to all whose it is.
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

  /** Whether something is written that nobody else may see yet. */
  isUnderWay(): boolean {
    return this.#open !== undefined
  }

  /** Resolves in one's turn to write. */
  async begin(): Promise<OpenWrite> {
    const askedAt = performance.now()
    const endTurn = await this.#turns.take()
    try {
      await this.#mendLog(askedAt)
      return this.#partOf(this.#open ?? (await this.#openAnother(askedAt)), endTurn)
    } catch (error) {
      this.#parts.gate.failed(error)
      this.#leave(endTurn)
      throw error
    }
  }

  /** Do something on the connection while nobody else has it. */
  async inTurn<T>(work: () => T): Promise<T> {
    const askedAt = performance.now()
    const endTurn = await this.#turns.take()
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
    // Who is alone in it undoes all of it.
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
    // SQLite has undone all of it by itself, as it may when the disk is full.
    this.#open = undefined
    open.fail(error)
  }

  #leave(endTurn: EndTurn): void {
    endTurn()
    const open = this.#open
    if (open && open.parts >= maxParts) this.#commit(open)
    // Who has it next comes by here too.
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

  /** Before anything is written, at first and after a flush that failed. */
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

/** A transaction that several have, one after the other. */
class OpenTransaction {
  /** How many have had it. */
  parts = 0
  isPutOff = false
  /** Why nothing of it is there any more. */
  failure: unknown
  readonly #end = Promise.withResolvers<void>()
  readonly committed = this.#end.promise
  readonly resolve = this.#end.resolve

  fail(error: unknown): void {
    this.failure = error
    this.#end.reject(error)
    // Maybe nobody waits for it.
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
