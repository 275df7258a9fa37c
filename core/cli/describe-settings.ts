import type { ServerTable, Variable } from './settings-from-env.ts'

/** The settings for `--help`: a line each, the default in parentheses. */
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

/** The settings as the table of docs/configuration.md. */
export function settingsAsMarkdown(table: ServerTable): string {
  const rows = Object.values(table).map(
    variable => `| ${names(variable)} | ${standard(variable)} | ${variable.about} |`,
  )
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n')
}

function names({ name, alias }: Variable<unknown>): string {
  return alias ? `\`${name}\`, else \`${alias}\`` : `\`${name}\``
}

function standard(variable: Variable<unknown>): string {
  return variable.default === undefined ? 'none' : `\`${variable.default}\``
}
