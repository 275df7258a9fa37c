import { Overloaded } from '../../lib/async/bounded-queue.ts'
import { overloaded, type Refusal, refuse } from '../../plugin/outcomes.ts'
import { UnusableSettings } from '../../settings/settings.ts'
import { isStorageTrouble } from '../../storage/files/damage.ts'
import { isDangling } from '../../storage/foreign-keys.ts'
import { internal } from '../send/problem.ts'

/** The answer while the storage cannot be reached. */
export const unavailable = refuse(
  'unavailable',
  'This cannot be read or written at the moment. Try again later.',
  503,
  undefined,
  { retryAfterSeconds: 5 },
)

const unusableSettings = refuse(
  'unavailable',
  'The settings in settings.json of the data folder, or in the database, are invalid. Correct them; the log says what is wrong.',
  503,
)

const deletedMeanwhile = refuse(
  'changed_meanwhile',
  'Something that this refers to was deleted at the same moment.',
  409,
)

/** What a client learns of an unexpected error: to come back later, to look again, or nothing. */
export function failureOf(error: unknown): Refusal {
  if (error instanceof Overloaded) return overloaded
  if (error instanceof UnusableSettings) return unusableSettings
  if (isDangling(error)) return deletedMeanwhile
  return isStorageTrouble(error) ? unavailable : internal
}

/** Whether the log is told of an unexpected error: not that the server is too busy, because whoever is refused comes again. */
export function isForLog(error: unknown): boolean {
  return !(error instanceof Overloaded)
}
