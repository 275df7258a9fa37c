import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, resolve } from 'node:path'

const relativeImports = /(?:from|import)\s*\(?\s*['"](\.\.?\/[^'"]+)['"]/g

/**
 * Where a file, or one of those that it imports by their paths, is no JavaScript: its place, and the line itself.
 * Undefined: nothing was found, for there are mistakes that only show when a file is run.
 */
export function findSyntaxError(file: string): string | undefined {
  const files = new Set([file])
  // What is added meanwhile comes last.
  for (const path of files) {
    const code = textOf(path)
    const place = placeIn(code, path)
    if (place !== undefined) return place
    for (const [, name = ''] of code.matchAll(relativeImports)) {
      files.add(resolve(dirname(path), name))
    }
  }
  return undefined
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Node has no other parser for modules that says where they end to be one. */
function placeIn(code: string, sourceUrl: string): string | undefined {
  try {
    stripTypeScriptTypes(code, { sourceUrl })
    return undefined
  } catch (error) {
    const { stack = '' } = error as Error
    return stack.startsWith(`${sourceUrl}:`) ? stack.split('\n\n')[0] : undefined
  }
}
