/** The names in the files of a new plugin. */
export interface NewPlugin {
  /** The name of its package, such as `linnet-plugin-business-hours`. */
  readonly packageName: string
  /** Such as `businessHours`. */
  readonly name: string
  /** Where npm finds Linnet for its tests: a path from its folder, such as `file:../linnet`, or a version range. */
  readonly linnet: string
  /** The version of Linnet, such as `0.1.0`. */
  readonly version: string
}

/** The files of a complete plugin with its test, by path. */
export function filesOf(plugin: NewPlugin): Readonly<Record<string, string>> {
  const field = `closedBy${plugin.name.charAt(0).toUpperCase()}${plugin.name.slice(1)}`
  return {
    'package.json': json(manifestOf(plugin)),
    'tsconfig.json': json(tsconfig),
    'src/index.ts': sourceOf(featureOf(plugin.name), field),
    'src/index.test.ts': testOf(field),
    'README.md': readmeOf(plugin.packageName),
    '.gitignore': 'node_modules/\ndist/\n*.tgz\n',
  }
}

function manifestOf({ packageName, name, linnet, version }: NewPlugin) {
  return {
    name: packageName,
    version: '0.1.0',
    description: about,
    keywords: ['linnet-plugin'],
    type: 'module',
    files: ['dist', '!dist/**/*.test.*'],
    linnet: { plugin: './dist/index.js', api: '^1', feature: featureOf(name) },
    scripts: {
      build: 'tsc',
      test: 'tsc && node --enable-source-maps --test "dist/**/*.test.js"',
      watch: 'tsc --watch --preserveWatchOutput',
      prepack: 'tsc',
    },
    peerDependencies: { linnet: `>=${version}` },
    devDependencies: {
      '@types/node': '^22.14.0',
      linnet,
      typescript: '^5.9.3',
    },
  }
}

const featureOf = (name: string) => `custom.${name}`

const about = 'Turn the visitors of a link away.'

const tsconfig = {
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    rootDir: 'src',
    outDir: 'dist',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    sourceMap: true,
    skipLibCheck: true,
    types: ['node'],
  },
  include: ['src'],
}

function sourceOf(feature: string, field: string): string {
  return `import { definePlugin, refuse, toggle } from 'linnet/plugin'

export default definePlugin({
  feature: '${feature}',
  about: '${about}',
  fields: {
    ${field}: toggle({ label: 'Closed', hint: 'Visitors are turned away.' }),
  },
  guard({ ${field} }) {
    if (!${field}) return
    return () => refuse('closed', 'This link is closed.', 403)
  },
})
`
}

function testOf(field: string): string {
  return `import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { conformance } from 'linnet/conformance'
import { boot } from 'linnet/harness'
import plugin from './index.js'

it('turns visitors of a closed link away, and of no other', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  const closed = await linnet.create({ ${field}: true })
  const open = await linnet.create()
  assert.equal((await linnet.visit(closed)).status, 403)
  assert.equal((await linnet.visit(open)).location, 'https://example.com/')
})

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
`
}

function readmeOf(packageName: string): string {
  return `# ${packageName}

A plugin for Linnet: ${about.charAt(0).toLowerCase()}${about.slice(1)}

\`\`\`sh
npm install
npm test               # compiles it, then tries it in a whole Linnet
linnet dev             # a server with it, anew at each change
linnet plugins add .   # installs it; a running server follows
npm pack               # makes the file that linnet plugins add takes anywhere
\`\`\`

\`src/index.ts\` is the plugin and \`src/index.test.ts\` its tests. \`linnet\` under \`devDependencies\` is the Linnet
that made this folder: say another path, or a version, where the tests are to run elsewhere.
`
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
