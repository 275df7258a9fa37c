import { remember } from '../../core/plugin.ts'

/**
 * Returns a function that gives the English names of regions or languages. A code that is none, as anybody may import one,
 * is its own name. Names are loaded when first needed, because loading them from ICU would slow down each start.
 */
export function englishNames(type: 'region' | 'language'): (code: string) => string {
  return remember(code => {
    try {
      return new Intl.DisplayNames('en', { type, languageDisplay: 'standard' }).of(code) ?? code
    } catch {
      return code
    }
  })
}
