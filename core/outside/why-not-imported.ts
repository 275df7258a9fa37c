/** Why a file could not be imported, as the end of a sentence with its remedy. */
export function whyNotImported(error: unknown): string {
  if (!(error instanceof Error)) return `reading it throws ${String(error)}`
  const { code = '' } = error as NodeJS.ErrnoException
  const [message = ''] = error.message.split('\n')
  const [, missing = ''] = /^Cannot find (?:package|module) '([^']+)'/.exec(message) ?? []
  if (!/MODULE_NOT_FOUND$/.test(code) || missing === '') return `reading it fails: ${message}`
  return isPath(missing)
    ? `its file ${missing} is not there: build the plugin, and add it again`
    : `it needs the package ${missing}, which is not installed: its package.json must have that under dependencies`
}

function isPath(missing: string): boolean {
  return /^(\.|\/|file:)/.test(missing)
}
