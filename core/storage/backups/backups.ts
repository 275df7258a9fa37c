import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { backupPath, backupsFolder } from './backup.ts'
import { removeUnfinished } from './copy-database.ts'
import type { CopyDatabase } from './copy-in-thread.ts'

/** Why a copy of the database was made. */
export const backupKinds = ['nightly', 'manual', 'before-schema', 'before-restore'] as const

export type BackupKind = (typeof backupKinds)[number]

/** A complete copy of the database, in the folder `backups`. */
export interface Backup {
  readonly name: string
  readonly kind: BackupKind
  readonly bytes: number
  readonly createdAt: Date
}

/** The copies of one database. */
export interface Backups {
  /** All copies, newest first. */
  list(): Promise<readonly Backup[]>
  /** Copy the database as it is now, while it is in use; undefined if another copy is being made. */
  make(kind: 'nightly' | 'manual'): Promise<Backup> | undefined
  /** The copy with this name and its path; undefined for any other text. */
  find(name: string): Promise<(Backup & { readonly path: string }) | undefined>
  /** Returns false if there is no copy with this name. */
  delete(name: string): Promise<boolean>
  /** Make the nightly copy, and delete the oldest nightly copies beyond `kept`. */
  makeNightly(kept: number): Promise<void>
}

const names = /^(nightly|manual|before-schema|before-restore)(?:-\d+)?-(\d{8}T\d{6})Z(?:-\d+)?\.db$/

/** An unfinished copy that is older than this was interrupted by a crash. In milliseconds. */
const brokenOffMs = 24 * 3_600_000

export function createBackups({
  file,
  copy,
  onFailed,
  onMade,
  now,
  signal,
}: {
  /** The database. */
  readonly file: string
  readonly copy: CopyDatabase
  /** Called with the reason why a copy could not be made. */
  onFailed?(error: unknown): void
  /** Called after a copy: all of the database could be read, and is well. */
  onMade?(): void
  readonly now: () => Date
  /** Aborts a copy that is being made. */
  readonly signal: AbortSignal
}): Backups {
  const folder = backupsFolder(file)
  let isMaking = false

  async function makeOne(kind: BackupKind): Promise<Backup> {
    isMaking = true
    try {
      const path = backupPath(file, kind, now().getTime())
      await copy(file, path, signal).catch(error => {
        removeUnfinished(path)
        onFailed?.(error)
        throw error
      })
      onMade?.()
      const made = await read(basename(path))
      if (!made) throw new Error(`The backup ${path} no longer exists.`)
      return made
    } finally {
      isMaking = false
    }
  }

  async function read(name: string): Promise<Backup | undefined> {
    const [, kind, stamp] = names.exec(name) ?? []
    if (kind === undefined || stamp === undefined) return undefined
    const found = await stat(join(folder, name)).catch(ifMissing(undefined))
    if (!found?.isFile()) return undefined
    return { name, kind: kind as BackupKind, bytes: found.size, createdAt: momentOf(stamp) }
  }

  async function list(): Promise<readonly Backup[]> {
    const found = await Promise.all((await readdir(folder).catch(ifMissing([]))).map(read))
    return found
      .flatMap(backup => backup ?? [])
      .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || byNumber(b.name, a.name))
  }

  const backups: Backups = {
    list,
    make: kind => (isMaking ? undefined : makeOne(kind)),

    async find(name) {
      const found = await read(name)
      return found && { ...found, path: join(folder, name) }
    },

    async delete(name) {
      if (!(await read(name))) return false
      await rm(join(folder, name), { force: true })
      return true
    },

    async makeNightly(kept) {
      for (const it of [folder, dirname(file)]) await removeBrokenOff(it, now().getTime())
      await backups.make('nightly')
      const nightly = (await list()).filter(({ kind }) => kind === 'nightly')
      // Copies of a clock that was ahead are not the newest ones.
      const isAhead = ({ createdAt }: Backup) => createdAt > now()
      const oldestLast = [...nightly.filter(it => !isAhead(it)), ...nightly.filter(isAhead)]
      for (const { name } of oldestLast.slice(kept)) await backups.delete(name)
    },
  }
  return backups
}

/** Copies that a backup has left, or, beside the database, a restore. */
async function removeBrokenOff(folder: string, at: number): Promise<void> {
  const left = (await readdir(folder).catch(ifMissing([]))).filter(name =>
    /\.db(\.restoring|\.damaged[-.\w]*)?\.unfinished(-\w+)?$|\.(db|json)\.restoring$/.test(name),
  )
  for (const name of left) {
    const path = join(folder, name)
    const found = await stat(path).catch(ifMissing(undefined))
    if (found && at - found.mtimeMs > brokenOffMs) await rm(path, { force: true })
  }
}

/** Orders copies of the same second: `…Z.db`, `…Z-2.db`, `…Z-10.db`. */
function byNumber(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1)
}

/** The time of a stamp such as `20261120T151200`, in UTC. */
function momentOf(stamp: string): Date {
  return new Date(
    stamp.replace(/(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})/, '$1-$2-$3T$4:$5:$6Z'),
  )
}

function ifMissing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return error => {
    if (error.code === 'ENOENT') return instead
    throw error
  }
}
