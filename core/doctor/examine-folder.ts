import { statSync } from 'node:fs'
import { join } from 'node:path'
import { freeBytes } from '../storage/files/disk-space.ts'
import { bytesAsText, type Finding, fine, problem, warning } from './finding.ts'

/** Less than this is not enough even for a migration. */
const leastBytes = 64e6

/** A busy week uses up more than this. */
const fewBytes = 500e6

/** Checks whether the disk has room for the database to grow, and for a copy of it. */
export function examineDisk(folder: string, databaseBytes: number): Finding {
  const free = freeBytes(folder)
  const says = `${bytesAsText(free)} are free on the disk of ${folder}.`
  if (free < leastBytes) {
    return problem(
      'disk',
      says,
      'Free up space: when the disk is full, links keep working but nothing is saved.',
    )
  }
  if (free < Math.max(fewBytes, databaseBytes)) {
    return warning(
      'disk',
      says,
      `Free up space: a backup of the database takes ${bytesAsText(databaseBytes)}.`,
    )
  }
  return fine('disk', says)
}

/** Checks whether other users of this machine can read the folder. */
export function examinePermissions(folder: string): Finding {
  const { uid, mode } = statSync(folder)
  const says = `${folder} belongs to uid ${uid} and has mode ${(mode & 0o777).toString(8)}.`
  return (mode & 0o007) === 0
    ? fine('permissions', says)
    : warning(
        'permissions',
        `${says} Other users of this machine can read it.`,
        `Run: chmod o= ${folder}. Keep nothing else in it.`,
      )
}

export const setTheClock = 'Set the clock, and keep it correct with systemd-timesyncd or chrony.'

/** A clock that was set back makes sessions, schedules and charts wrong. */
export function examineClock(folder: string, now: Date): Finding {
  const writtenAt = Math.max(
    ...['linnet.db', 'linnet.db-wal'].map(
      name => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    ),
  )
  const says = `The clock of this machine says ${now.toISOString()}.`
  if (writtenAt - now.getTime() > 60_000) {
    return problem(
      'clock',
      `${says} But the database was last written after that, at ${new Date(writtenAt).toISOString()}.`,
      setTheClock,
    )
  }
  return fine('clock', says)
}
