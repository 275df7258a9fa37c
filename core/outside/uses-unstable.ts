import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findPlugins } from './find-plugins.ts'

const code = /\.(js|mjs|cjs|ts)$/

/**
 * What to say of an installed plugin that uses `unstable` parts of the plugin API; nothing of any other. Its code tells: what
 * it does with a context shows only when it runs.
 */
export function noteOnUnstable(folder: string, plugin: string): string {
  const root = findPlugins(folder).find(({ name }) => name === plugin)?.root
  const isUsed = root !== undefined && codeIn(root).some(file => /\bunstable\b/.test(read(file)))
  return isUsed
    ? `${plugin} uses unstable parts of the plugin API, which may change with any version of Linnet.\n`
    : ''
}

/** Without the packages that it depends on. */
function codeIn(root: string): readonly string[] {
  if (statSync(root).isFile()) return [root]
  return readdirSync(root, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .flatMap(entry => {
      const path = join(root, entry.name)
      if (entry.isDirectory()) return codeIn(path)
      return code.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : []
    })
}

function read(file: string): string {
  return readFileSync(file, 'utf8')
}
