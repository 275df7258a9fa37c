import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, resolve } from 'node:path'
import { caught } from '../lib/caught.ts'
import { stackOf } from '../lib/message-for-people.ts'

/** Why a file could not be imported. */
export interface WhyNot {
  /** The end of a sentence, with the remedy and the place in the file relative to a folder. */
  readonly problem: string
  readonly stack?: string
}

/** Explains why a file could not be imported, with its place relative to `folder`. */
export function whyNotImported(thrown: unknown, file: string, folder: string): WhyNot {
  const error: NodeJS.ErrnoException = caught(thrown)
  const [message = ''] = error.message.split('\n')
  const [, missing = ''] = /^Cannot find (?:package|module) '([^']+)'/.exec(message) ?? []
  if (!/MODULE_NOT_FOUND$/.test(error.code ?? '') || missing === '') {
    const stack = stackWithPlace(error, file, folder)
    return { problem: `loading it fails: ${message}${placeIn(folder, stack)}`, stack }
  }
  const problem = isPath(missing)
    ? `its file ${missing} does not exist: build the plugin, and add it again`
    : `it needs the package ${missing}, which is not installed: add that to the dependencies in its package.json`
  return { problem }
}

/** For JavaScript modules that it cannot parse, Node reports neither file nor line. */
function stackWithPlace(error: Error, file: string, folder: string): string {
  const stack = stackOf(error)
  if (!(error instanceof SyntaxError) || stack.includes(`${folder}/`)) return stack
  const place = findSyntaxError(file)
  return place === undefined ? stack : `${place}\n\n${stack}`
}

/** Such as ` (index.ts:3)`. */
function placeIn(folder: string, stack: string): string {
  const line = stack.split('\n').find(it => it.includes(`${folder}/`)) ?? ''
  const [, file, number] = /([\w.-]+\.[cm]?[jt]s):(\d+)/.exec(line) ?? []
  return file === undefined ? '' : ` (${file}:${number})`
}

function isPath(missing: string): boolean {
  return /^(\.|\/|file:)/.test(missing)
}

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
    const place = placeOfSyntaxError(code, path)
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
function placeOfSyntaxError(code: string, sourceUrl: string): string | undefined {
  const { emitWarning } = process
  // That the parser is experimental in Node helps nobody who looks for a syntax error.
  process.emitWarning = () => undefined
  try {
    stripTypeScriptTypes(code, { sourceUrl })
    return undefined
  } catch (error) {
    const { stack = '' } = error as Error
    return stack.startsWith(`${sourceUrl}:`) ? stack.split('\n\n')[0] : undefined
  } finally {
    process.emitWarning = emitWarning
  }
}
