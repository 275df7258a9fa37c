import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * The Chromium that is installed, undefined when there is none. Its shell, without all that belongs to windows,
 * opens a page in less than half the time, and shows the same.
 */
export const chromiumPath = find('chromium-headless-shell') ?? find('chromium')

function find(program) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map(folder => join(folder, program)).find(file => existsSync(file))
}
