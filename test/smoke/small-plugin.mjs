import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const feature = 'smoke.nothing'

/** Creates a package with a plugin that does nothing. */
export function makeSmallPlugin(folder) {
  mkdirSync(folder)
  const linnet = { plugin: './index.js', api: '^1', feature }
  const manifest = { name: 'linnet-plugin-nothing', version: '1.0.0', type: 'module', linnet }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const source = `import { definePlugin } from 'linnet/plugin'
export default definePlugin({ feature: '${feature}', about: 'Do nothing.' })
`
  writeFileSync(join(folder, 'index.js'), source)
}

/** What `linnet plugins add` prints about it. */
export const addedSmallPlugin = new RegExp(`is installed and provides ${feature}\\.`)
