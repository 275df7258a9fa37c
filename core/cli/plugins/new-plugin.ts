import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Setting } from '../setting.ts'
import { UserError } from '../user-error.ts'
import { filesOf } from './template.ts'

const prefix = 'linnet-plugin-'
const namePattern = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

/** `linnet plugins new`: make a folder with a plugin, its test and all that its package needs. */
export function newPlugin({ programUrl, version }: Setting, typed: string): void {
  const folder = resolve(typed)
  const name = basename(folder).replace(prefix, '')
  if (!namePattern.test(name)) {
    throw new UserError(
      `${basename(folder)} is no name for a plugin: give one of small letters, digits and hyphens, as business-hours.`,
    )
  }
  if (existsSync(folder)) {
    throw new UserError(`${typed} is there already: give another name, or remove it.`)
  }
  const program = dirname(fileURLToPath(programUrl))
  if (!existsSync(join(program, 'harness.js'))) {
    throw new UserError(
      'This Linnet has only what runs, as in an image, and not what plugins are tested with: write npx linnet plugins new, or use a clone.',
    )
  }
  mkdirSync(folder)
  const files = filesOf({
    packageName: `${prefix}${name}`,
    name: name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
    linnet: relative(realpathSync(folder), realpathSync(dirname(program))),
    version,
  })
  mkdirSync(join(folder, 'src'))
  for (const [path, content] of Object.entries(files)) writeFileSync(join(folder, path), content)
  process.stdout.write(
    `${typed} is a plugin now. To see that it works:\n\n${stepsFor(typed, program)}`,
  )
}

/** In a clone the types are not built until somebody asks for them. */
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
