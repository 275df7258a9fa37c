import type { ServerTable } from './settings-from-env.ts'

/** The settings for `--help`, one per line, with the default in parentheses. */
export function settingsAsText(table: ServerTable): string {
  const variables = Object.values(table)
  const width = Math.max(...variables.map(({ name }) => name.length))
  return variables
    .map(variable => {
      const line = `  ${variable.name.padEnd(width)}  ${variable.about}`
      return variable.default === undefined ? line : `${line} (${variable.default})`
    })
    .join('\n')
}
