import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const standIn = fileURLToPath(new URL('../shared/text/jsx-runtime.ts', import.meta.url))

/** Makes all elements, those of libraries too, by our own `jsx`, which shows what is hidden in texts. */
export function shownText(): Plugin {
  return {
    name: 'linnet-shown-text',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id, importer) =>
      id === 'react/jsx-runtime' && importer !== standIn ? standIn : null,
  }
}
