import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Options } from 'tsup'
import type { Plugin } from 'vite'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly author?: string | { readonly name: string }
}

const fileName = 'THIRD-PARTY-NOTICES.md'

/** Writes the authors and licences of the bundled packages beside the program, as those licences require. */
export const noticesOfProgram: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'linnet-third-party-notices',
  setup({ initialOptions, onEnd }) {
    onEnd(({ metafile }) => {
      const files = Object.values(metafile?.outputs ?? {}).flatMap(it => Object.keys(it.inputs))
      const folder = initialOptions.outdir ?? 'dist'
      // On a fresh clone the folder does not exist yet: the bundle is written only afterwards.
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, fileName), noticesOf(files))
    })
  },
}

/**
 * The same beside the dashboard.
 *
 * @param drawnFrom packages that its build makes something of
 */
export function noticesOfDashboard(drawnFrom: readonly string[]): Plugin {
  return {
    name: 'linnet-third-party-notices',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter(it => it.type === 'chunk')
      const files = drawnFrom.map(name => `node_modules/${name}/package.json`)
      const source = noticesOf([...chunks.flatMap(it => it.moduleIds), ...files])
      this.emitFile({ type: 'asset', fileName, source })
    },
  }
}

function noticesOf(bundledFiles: readonly string[]): string {
  const folders = new Set(bundledFiles.flatMap(file => packageFolder(file) ?? []))
  const notices = [...folders].sort().map(noticeOf)
  return `# Third-party notices\n\nWhat others wrote and is bundled here.\n\n${notices.join('\n')}`
}

/** The folder of the package that a file belongs to, relative to the project; undefined for our own files. */
function packageFolder(file: string): string | undefined {
  return /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0]
}

function noticeOf(folder: string): string {
  const {
    name,
    version,
    license,
    author = 'its authors',
  }: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter(it => /^(licen[cs]e|notice)/i.test(it))
  const texts = files.sort().map(file => readFileSync(join(folder, file), 'utf8').trim())
  const shown = texts.map(text => `\n${text.replace(/^(?=.)/gm, '    ')}\n`)
  const by = typeof author === 'string' ? author : author.name
  return `## ${name} ${version}\n\n${license}, by ${by}.\n${shown.join('')}`
}
