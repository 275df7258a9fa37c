import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { problemCodes } from '../config/problem-codes.ts'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(resolve(root, path), 'utf8')

/** The code that answers requests, without the code for browsers and the template of a new plugin. */
const files = globSync(['core/**/*.ts', 'plugins/**/*.ts'], {
  cwd: root,
  exclude: ['plugins/dashboard/web/**', '**/template.ts'],
})

interface Refused {
  readonly file: string
  readonly code: string
  readonly status: number
}

/** The arguments of calls to `refuse` or `barOf`; the latter means 403. */
function refusedIn(file: string): readonly Refused[] {
  const source = read(file)
  if (!/\b(refuse|barOf)\(/.test(source)) return []
  const found: Refused[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const [code, , status] = node.arguments
      const { text } = node.expression
      if (/^(refuse|barOf)$/.test(text) && code && ts.isStringLiteralLike(code)) {
        const said = status && ts.isNumericLiteral(status) ? Number(status.text) : 422
        found.push({ file, code: code.text, status: text === 'barOf' ? 403 : said })
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true))
  return found
}

describe('a problem', () => {
  const refused = files.flatMap(refusedIn)

  it('has a code of the list, with its status, wherever it is said', () => {
    const list: Readonly<Record<string, readonly [number, string]>> = problemCodes
    expect(refused.length).toBeGreaterThan(100)
    expect(refused.filter(({ code, status }) => list[code]?.[0] !== status)).toEqual([])
  })

  it('is on the list only where it is said', () => {
    const said = new Set(refused.map(({ code }) => code))
    expect(Object.keys(problemCodes).filter(code => !said.has(code))).toEqual([])
  })

  it('stands in docs/problems.md as on the list', () => {
    const rows = Object.entries(problemCodes).map(([code, [status, meaning]]) => {
      const words = code.replaceAll('_', ' ')
      const title = words.charAt(0).toUpperCase() + words.slice(1)
      return `| ${status} | \`${code}\` | ${title} | ${meaning} |`
    })
    expect(read('docs/problems.md')).toContain(`|---|---|---|---|\n${rows.join('\n')}\n`)
  })
})
