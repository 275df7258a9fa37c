import { wordsOf } from '../../../shared/fields/names.ts'
import { adminTexts } from '../../../texts/admin.ts'

/** `usage.closePeriods` -> `Close the month`; of a plugin that nobody knows, its own words. */
export function jobName(name: string): string {
  return adminTexts.jobs.names[name] ?? wordsOf(name.slice(name.lastIndexOf('.') + 1))
}
