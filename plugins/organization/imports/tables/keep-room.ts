import { statfsSync } from 'node:fs'
import { SourceError } from '../source.ts'

/** So much of the disk stays free for everybody else, as while files are sent. */
const keptBytes = 128 * 1024 * 1024

/** Throws if a reading has written so much into its folder that others would not have room. */
export function keepRoom(folder: string): void {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize >= keptBytes) return
  throw new SourceError(
    'The disk of the server is almost full: what the file has cannot be kept there meanwhile. Make room, and go on.',
  )
}
