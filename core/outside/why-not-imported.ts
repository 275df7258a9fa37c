/** Why a file could not be imported, as the end of a sentence with its remedy and its place below `folder`. */
export function whyNotImported(error: unknown, folder: string): string {
  if (!(error instanceof Error)) return `reading it throws ${String(error)}`
  const { code = '' } = error as NodeJS.ErrnoException
  const [message = ''] = error.message.split('\n')
  const [, missing = ''] = /^Cannot find (?:package|module) '([^']+)'/.exec(message) ?? []
  if (!/MODULE_NOT_FOUND$/.test(code) || missing === '') {
    return `reading it fails: ${message}${placeIn(folder, error)}`
  }
  return isPath(missing)
    ? `its file ${missing} is not there: build the plugin, and add it again`
    : `it needs the package ${missing}, which is not installed: its package.json must have that under dependencies`
}

/** As ` (index.ts:3)`. */
function placeIn(folder: string, { stack = '' }: Error): string {
  const line = stack.split('\n').find(it => it.includes(`${folder}/`)) ?? ''
  const [, file, number] = /([\w.-]+\.[cm]?[jt]s)(?:\?linnet=\w+)?:(\d+)/.exec(line) ?? []
  return file === undefined ? '' : ` (${file}:${number})`
}

function isPath(missing: string): boolean {
  return /^(\.|\/|file:)/.test(missing)
}
