import { readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin, Rolldown } from 'vite'

const web = fileURLToPath(new URL('..', import.meta.url))
const inUse = JSON.stringify(resolve(web, 'words.ts'))
const prefix = '\0words:'
/** The files that run before any texts are loaded. */
const before = /^(start|speak-brought|words)\.ts$|^language\//
const fileOfWords = /^texts(\.ts$|\/)/
const later = /(?<!typeof )\bimport\(['"]\.[^'"]+['"]\)/g
const mainScript = /<script type="module"(?: crossorigin)? src="([^"]+\/(?:main\.tsx|index-[^"]+))"/

/**
 * To editors and the type checker, an import from `texts.ts` or `texts/` is English. In the browser it is the
 * current language: this plugin takes each export from `words.ts`, which has loaded it. `start.ts` loads what
 * the first screen needs before `main.tsx` runs; code that is loaded later waits for the rest.
 */
export function wordsInUse(): Plugin {
  return {
    name: 'linnet-words',
    enforce: 'pre',
    buildStart() {
      if (this.environment.mode === 'build') {
        this.emitFile({ type: 'chunk', id: resolve(web, 'start.ts'), name: 'start' })
      }
    },
    resolveId(asked, importer) {
      if (!importer || !isPartOfApp(importer)) return null
      const file = resolve(dirname(importer), asked)
      return fileOfWords.test(relative(web, file)) ? prefix + file : null
    },
    load(id) {
      if (!id.startsWith(prefix)) return null
      const names = readFileSync(id.slice(prefix.length), 'utf8').matchAll(/^export const (\w+)/gm)
      const found = [...names].map(([, name]) => `export const ${name} = words.${name}`)
      return [`import { words } from ${inUse}`, ...found].join('\n')
    },
    transform(code, id) {
      if (!isPartOfApp(id)) return null
      const waiting = code.replaceAll(later, 'loadRest().then(() => $&)')
      return waiting === code
        ? null
        : { code: `import { loadRest } from ${inUse}\n${waiting}`, map: null }
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) =>
        html.replace(
          mainScript,
          `<link rel="modulepreload" crossorigin id="program" href="$1">
    <script type="module" crossorigin src="/dashboard/${startIn(bundle)}"`,
        ),
    },
  }
}

function isPartOfApp(id: string): boolean {
  const file = relative(web, id)
  return /^\w.*\.tsx?$/.test(file) && !before.test(file) && !fileOfWords.test(file)
}

function startIn(bundle: Rolldown.OutputBundle): string {
  const chunk = Object.values(bundle).find(it => it.type === 'chunk' && it.name === 'start')
  return chunk?.fileName ?? 'start.ts'
}
