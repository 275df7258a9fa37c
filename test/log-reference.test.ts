import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(resolve(root, path), 'utf8')

/** A level and a message, with `…` for its variable parts. */
type Message = `${string}: ${string}`

/** Messages whose call does not contain the text: it is elsewhere in the sources. */
const saidElsewhere: Readonly<Record<string, readonly Message[]>> = {
  'core/visits/upkeep/retry-state.ts': [
    'error: Visits cannot be stored. They are kept in memory and retried.',
    'info: Visits are stored again.',
    'error: Visits are stored but cannot be added to the counts. This is retried.',
    'info: Visits are added to the counts again.',
    'error: The counts of deleted links cannot be removed. This is retried.',
    'info: The counts of deleted links are removed again.',
  ],
  'core/limits/security-log.ts': [
    'warn: A wrong guess',
    'warn: Too many wrong guesses',
    'warn: An API token was refused',
    'warn: A call was refused to somebody who may not make it',
  ],
  'core/app/switching/after-a-change.ts': [
    'warn: … … protected by …, which …, and … shut. …, or open the links without it: linnet plugins release …',
  ],
  'core/cli/commands/tell-operator.ts': [
    'warn: … is not a setting of this version and has no effect: …',
  ],
}

const files = globSync(['core/**/*.ts', 'plugins/**/*.ts'], {
  cwd: root,
  exclude: ['plugins/dashboard/web/**', '**/template.ts'],
})
const sources = new Map(files.map(file => [file, read(file)]))

function messagesIn(file: string, source: string): readonly Message[] {
  const found: Message[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { expression, name } = node.expression
      const [message] = node.arguments
      const isLog = /(^|\.)(log|bounded)$/.test(expression.getText())
      if (isLog && message) found.push(`${name.text}: ${textOf(message)}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true))
  return found
}

function textOf(node: ts.Expression): string {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')
  }
  return ts.isBinaryExpression(node) ? textOf(node.left) + textOf(node.right) : '…'
}

describe('the reference of the log', () => {
  const calls = [...sources].flatMap(([file, source]) =>
    /\b(log|bounded)\.(info|warn|error)\(/.test(source)
      ? messagesIn(file, source).map(message => ({ file, message }))
      : [],
  )
  const isSaid = ({ message }: { message: Message }) => !/^\w+: …$/.test(message)
  const elsewhere = Object.values(saidElsewhere).flat()

  it('has every message, at its level, and no other', () => {
    const documented = [...read('docs/logs.md').matchAll(/^\| (\w+) \| `(.+?)` \| .+\. \|$/gm)].map(
      ([, level, text]) => `${level}: ${text}`,
    )
    const logged = new Set([...calls.filter(isSaid).map(({ message }) => message), ...elsewhere])
    expect(logged.size).toBeGreaterThan(60)
    expect(documented.sort()).toEqual([...logged].sort())
  })

  it('knows where messages come from that the call does not say', () => {
    const silent = calls.filter(call => !isSaid(call)).map(({ file }) => file)
    expect([...new Set(silent)].sort()).toEqual(Object.keys(saidElsewhere).sort())
    const all = [...sources.values()].join('\n')
    const texts = elsewhere.flatMap(message => message.replace(/^\w+: /, '').split('…'))
    expect(texts.filter(text => !all.includes(text))).toEqual([])
  })
})
