import { statfsSync, statSync } from 'node:fs'

/** Sizes of the database and of its write-ahead log, in bytes. */
export function databaseBytes(file: string): { readonly file: number; readonly log: number } {
  const bytesOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return { file: bytesOf(file), log: bytesOf(`${file}-wal`) }
}

/** Bytes that this process can still write to the disk of a folder. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
