import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const inlineStyles = /\/@mantine\/core\/esm\/core\/InlineStyles\/InlineStyles\.mjs$/

/**
 * Keeps libraries from writing `<style>` elements, which the Content-Security-Policy refuses: their styles
 * become constructed stylesheets. The build fails if a library has moved the code that this replaces.
 */
export function strictStyles(): Plugin {
  const standIn = (name: string) => fileURLToPath(new URL(`../theme/${name}`, import.meta.url))
  let isReplaced = false
  return {
    name: 'linnet-strict-styles',
    apply: 'build',
    enforce: 'pre',
    resolveId: id => (id === 'react-style-singleton' ? standIn('style-singleton.ts') : null),
    load(id) {
      if (!inlineStyles.test(id)) return null
      isReplaced = true
      return `
        import { stylesToString } from './styles-to-string/styles-to-string.mjs'
        import { createInlineStyles } from ${JSON.stringify(standIn('inline-styles.ts'))}
        export const InlineStyles = createInlineStyles(stylesToString)`
    },
    buildEnd(error) {
      if (!error && !isReplaced)
        this.error('Mantine keeps its InlineStyles elsewhere now: find it.')
    },
  }
}
