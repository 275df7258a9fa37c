import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { filesIn } from '../../../rooms.ts'

const root = resolve(import.meta.dirname, '../../../..')
const web = 'plugins/dashboard/web/'

/** The paths of all texts that the dashboard reads, as `texts.common.save`; `texts.common` where it reads them by a key that it works out. */
export function usedTexts(): ReadonlySet<string> {
  const used = new Set<string>()
  for (const file of filesIn(web.slice(0, -1))) {
    if (!/^(texts|build|language)|^words\.ts/.test(file.slice(web.length))) readFile(file, used)
  }
  return used
}

function readFile(file: string, used: Set<string>): void {
  const source = readFileSync(join(root, file), 'utf8')
  if (!/\w*[tT]exts\b/.test(source)) return
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, kind)
  const paths = new Map<string, string>()
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      if (/\/texts(\/[\w-]+)?\.ts/.test(node.moduleSpecifier.getText())) {
        for (const name of namesOf(node)) paths.set(name, name)
      }
      return
    }
    if (ts.isVariableDeclaration(node) && node.initializer) {
      const path = pathOf(node.initializer, paths)
      if (path && ts.isIdentifier(node.name)) {
        paths.set(node.name.text, path)
        return
      }
      if (path && ts.isObjectBindingPattern(node.name)) {
        for (const part of node.name.elements) {
          paths.set(part.name.getText(), `${path}.${(part.propertyName ?? part.name).getText()}`)
        }
        return
      }
    }
    const path = pathOf(node, paths)
    if (path) used.add(path)
    else ts.forEachChild(node, visit)
  }
  visit(tree)
}

function namesOf(node: ts.ImportDeclaration): readonly string[] {
  const named = node.importClause?.namedBindings
  return named && ts.isNamedImports(named) ? named.elements.map(({ name }) => name.text) : []
}

function pathOf(node: ts.Node, paths: ReadonlyMap<string, string>): string | undefined {
  if (ts.isIdentifier(node)) {
    // The name of a property is not what has that name here.
    const isName = ts.isPropertyAssignment(node.parent) && node.parent.name === node
    return isName ? undefined : paths.get(node.text)
  }
  if (!ts.isPropertyAccessExpression(node)) return undefined
  const before = pathOf(node.expression, paths)
  return before && `${before}.${node.name.text}`
}
