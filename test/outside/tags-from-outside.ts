import { resolve } from 'node:path'
import type { Plugin } from 'vite'

const here = (file: string) => resolve(import.meta.dirname, file)

/**
 * Serves the tags as installed ones: removes them from the registry, and loads the imports of their test from the
 * plugins folder.
 */
export const tagsFromOutside: Plugin = {
  name: 'tags-from-outside',
  enforce: 'pre',
  resolveId(source, importer = '') {
    if (!importer.endsWith('/test/plugins/organization/tags.test.ts')) return undefined
    if (source.endsWith('/plugins/organization/tags.ts')) return here('installed-tags.ts')
    return source.endsWith('/harness.ts') ? here('harness.ts') : undefined
  },
  transform(code, id) {
    if (!id.endsWith('/plugins/index.ts')) return undefined
    return code.replace(/^.*'organization\.tags':.*\n/m, '')
  },
}
