import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { say } from '../../core/cli/output.ts'
import type { Setting } from '../../core/cli/setting.ts'
import { UserError } from '../../core/lib/user-error.ts'
import { filesOf } from './template.ts'

const prefix = 'linnet-plugin-'
const namePattern = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

/** `linnet plugins new`: creates a folder with a plugin, its test and everything that its package needs. */
export function newPlugin({ programUrl, version }: Setting, typed: string): void {
  const folder = resolve(typed)
  const name = basename(folder).replace(prefix, '')
  if (!namePattern.test(name)) {
    throw new UserError(
      `${basename(folder)} is not a name for a plugin. Use lower-case letters, digits and hyphens, such as business-hours.`,
    )
  }
  if (existsSync(folder)) {
    throw new UserError(`${typed} already exists. Choose another name, or remove it.`)
  }
  const program = dirname(fileURLToPath(programUrl))
  if (!existsSync(join(program, 'harness.js'))) {
    throw new UserError(
      'This Linnet, such as the one in the image, comes without the test harness for plugins. Run npx linnet plugins new, or use a clone.',
    )
  }
  mkdirSync(folder)
  const files = filesOf({
    packageName: `${prefix}${name}`,
    name: name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
    linnet: specOf(realpathSync(dirname(program)), realpathSync(folder), version),
    version,
  })
  mkdirSync(join(folder, 'src'))
  for (const [path, content] of Object.entries(files)) writeFileSync(join(folder, path), content)
  say(`Created the plugin ${typed}. To see that it works:\n\n${stepsFor(typed, program)}`, {
    folder,
  })
}

/** The folder that npx runs from is temporary, but its version is on npm. */
function specOf(linnet: string, folder: string, version: string): string {
  return linnet.split(sep).includes('_npx') ? `^${version}` : `file:${relative(folder, linnet)}`
}

/** In a clone, the types may not have been built yet. */
function stepsFor(folder: string, program: string): string {
  const isTyped = existsSync(join(program, 'plugin.d.ts'))
  return [
    ...(isTyped ? [] : [`(cd ${dirname(program)} && npm run build)`]),
    `cd ${folder}`,
    'npm install',
    'npm test',
  ]
    .map(step => `  ${step}\n`)
    .join('')
}
