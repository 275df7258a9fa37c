import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, resolve } from 'node:path'

const relativeImports = /(?:from|import)\s*\(?\s*['"](\.\.?\/[^'"]+)['"]/g

/**
 * Finds the first syntax error in a file or in the files that it imports by relative path: the place and the line
 * itself. Undefined if there is none: some mistakes only show when a file runs.
 */
export function findSyntaxError(file: string): string | undefined {
  const files = new Set([file])
  // Files added during the loop are visited last.
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

/** Node has no other parser for modules that reports where parsing failed. */
function placeIn(code: string, sourceUrl: string): string | undefined {
  try {
    stripTypeScriptTypes(code, { sourceUrl })
    return undefined
  } catch (error) {
    const { stack = '' } = error as Error
    return stack.startsWith(`${sourceUrl}:`) ? stack.split('\n\n')[0] : undefined
  }
}
