import { toSnake } from '../../lib/text/casing.ts'

/** The prefix of a plugin's tables: `acme.officeHours` -> `acme_office_hours`. */
export function tablePrefix(feature: string): string {
  return toSnake(feature).replace(/[^a-z0-9]+/g, '_')
}

/** Whether a table or index belongs to the plugin with this prefix. */
export function isOwnName(name: string, prefix: string): boolean {
  return name === prefix || name.startsWith(`${prefix}_`)
}

/** The name of a file that a plugin keeps. */
export const fileNamePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/
