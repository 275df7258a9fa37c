import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(resolve(root, path), 'utf8')
const pages = ['*.md', 'docs/**/*.md', 'examples/*.md'].flatMap(it => globSync(it, { cwd: root }))
const aboutPlugins = globSync('docs/plugins/*.md', { cwd: root, exclude: ['**/tutorial.md'] })
const examples = aboutPlugins.flatMap(page =>
  [
    ...read(page).matchAll(/(?:^From \[`\S+`\]\(\.\.\/\.\.\/(\S+)\):\n\n)?^```ts\n(.*?)^```$/gms),
  ].map(([, file = 'no file', code = '']) => ({ page, file, code })),
)

it.each(pages)('%s: what it links to is there', page => {
  const links = [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
  for (const [, path = '', heading] of links) {
    const file = path === '' ? resolve(root, page) : resolve(root, dirname(page), path)
    expect(existsSync(file), path).toBe(true)
    if (heading !== undefined) expect(headingsOf(readFileSync(file, 'utf8'))).toContain(heading)
  }
})

it.each(pages)('%s: the files that it names are there', page => {
  const named = read(page).matchAll(/`((?:core|plugins|test|config|examples)\/[\w./-]+\.\w+)`/g)
  expect(
    [...named].map(([, file = '']) => file).filter(it => !existsSync(resolve(root, it))),
  ).toEqual([])
})

it('sends those who change something to folders and tests that are there', () => {
  const [, table = ''] = /## To change something\n(.*?)\n## /s.exec(read('CONTRIBUTING.md')) ?? []
  const named = [...table.matchAll(/(?<![\w/])(?:core|plugins|test|config)\/[\w./-]*\w/g)].map(
    ([it]) => it,
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(it => !existsSync(resolve(root, it)))).toEqual([])
})

it('has no two decisions with one number', () => {
  const numbers = globSync('docs/decisions/**/[0-9]*.md', { cwd: root }).map(it =>
    basename(it).slice(0, 4),
  )
  expect(numbers.filter((it, index) => numbers.indexOf(it) !== index)).toEqual([])
})

it.each(examples)('$page: its example of $file is there', ({ file, code }) => {
  expect(linesOf(read(file))).toContain(linesOf(code))
})

it('has an example on every page about a hook', () => {
  const hooks = aboutPlugins.filter(page => read(page).includes('| hook | when it runs |'))
  expect(hooks.length).toBeGreaterThan(8)
  expect(hooks.filter(page => !examples.some(example => example.page === page))).toEqual([])
})

/** The anchors of headings, as GitHub generates them. */
function headingsOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** The lines without their indentation. */
function linesOf(code: string): string {
  return code.replace(/^ +/gm, '')
}
