import { dirname, join, relative, resolve } from 'node:path'
import type { Plugin } from 'vitest/config'

const root = resolve(import.meta.dirname, '..')

/** Sources that the tests of the built program import, each with the file of the program that they get instead. */
export const builtFiles: ReadonlyMap<string, string> = new Map([
  ['client/linnet.ts', 'dist/client.js'],
  ['core/plugin.ts', 'dist/plugin.js'],
  ['remote/start.ts', 'dist/inside.js'],
  ['test/conformance.ts', 'dist/conformance.js'],
  ['test/harness.ts', 'dist/harness.js'],
  ['test/inside.ts', 'dist/inside.js'],
])

/** The plugin in a file, such as `plugins/link/page-title.ts`. */
const pluginFile = /^plugins\/(\w+)\/([\w-]+)\.ts$/
const pluginId = '\0plugin:'

/** Makes tests run the built program, which Node imports as it is. */
export const builtProgram: Plugin = {
  name: 'built-program',
  enforce: 'pre',
  config: () => ({ test: { server: { deps: { external: [/\/dist\/[^/]+\.js$/] } } } }),
  resolveId(source, importer = '') {
    if (!source.startsWith('.')) return undefined
    const file = relative(root, resolve(dirname(importer), source))
    const built = builtFiles.get(file)
    if (built !== undefined) return join(root, built)
    const [, group, name = ''] = pluginFile.exec(file) ?? []
    return (
      group &&
      `${pluginId}${group}.${name.replace(/-./g, ([, letter = '']) => letter.toUpperCase())}`
    )
  },
  load(id) {
    if (!id.startsWith(pluginId)) return undefined
    const feature = JSON.stringify(id.slice(pluginId.length))
    return `import { registry } from ${JSON.stringify(join(root, 'dist/inside.js'))}
      export default (await registry[${feature}]()).default`
  },
}
