import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import type { Plugin } from '../core/plugin.ts'
import { registry } from '../plugins/index.ts'

const root = resolve(import.meta.dirname, '..')
const readme = readFileSync(resolve(root, 'README.md'), 'utf8')

/** The text between two markers of the README. */
function section(name: string): string {
  const [, text = ''] =
    new RegExp(`<!-- ${name} -->\n([\\s\\S]*?)<!-- /${name} -->`).exec(readme) ?? []
  return text
}

it('lists every plugin with what it says of itself, in running order', async () => {
  const plugins = await Promise.all(
    Object.values(registry).map(async load => (await load()).default as Plugin),
  )
  const lines = plugins.map(({ feature, about }) => `- \`${feature}\`: ${about}\n`)
  expect(section('features')).toBe(lines.join(''))
})

it('shows a whole plugin as it is', () => {
  const source = readFileSync(resolve(root, 'plugins/link/password-protection.ts'), 'utf8')
  expect(section('plugin')).toBe(`\`\`\`ts\n${source}\`\`\`\n`)
})

it('stays short', () => {
  expect(readme.split('\n').length).toBeLessThan(200)
})
