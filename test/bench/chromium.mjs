import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * The installed Chromium; undefined if there is none. The headless shell, which has no code for windows, opens
 * a page in less than half the time and shows the same.
 */
export const chromiumPath = find('chromium-headless-shell') ?? find('chromium')

function find(program) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map(folder => join(folder, program)).find(file => existsSync(file))
}
