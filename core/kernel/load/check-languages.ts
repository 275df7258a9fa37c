import { z } from 'zod'
import { pageLanguages } from '../../plugin/answers/visitor-text.ts'
import type { Plugin } from '../../plugin.ts'

const langPattern = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/

/** More than all texts of Linnet take in any language. */
const maxTexts = 5_000
const maxBytes = 512 * 1024

const texts = z.record(z.string().min(1), z.string()).optional()
const forms = z.strictObject({
  zero: z.string().optional(),
  one: z.string().optional(),
  two: z.string().optional(),
  few: z.string().optional(),
  many: z.string().optional(),
  other: z.string(),
})
const language = z.strictObject({
  name: z.string().regex(/^\S.{0,39}$/),
  dir: z.literal('rtl').optional(),
  visitors: texts,
  dashboard: z.record(z.string().min(1), z.union([z.string(), forms])).optional(),
  server: texts,
})

/** What of the languages of a plugin is not one. Single texts that do not fit are left out later, and named in its health. */
export function* checkLanguages({ unstable }: Partial<Plugin>): Iterable<string> {
  const languages = unstable?.languages ?? {}
  if (!z.record(z.string(), z.unknown()).safeParse(languages).success) {
    yield 'has invalid languages. Write languages: { it: { name: … } }.'
    return
  }
  for (const [lang, it] of Object.entries(languages)) {
    const [primary = ''] = lang.split('-')
    if (!langPattern.test(lang)) {
      yield `has a language "${lang}". Name it as HTML does, such as it or pt-BR.`
    } else if (pageLanguages.some(own => own === primary)) {
      yield `has the language ${lang}, which comes with Linnet. Remove it.`
    }
    const { success, error } = language.safeParse(it)
    if (!success) {
      const [issue] = error.issues
      yield `has an invalid language ${lang}: ${issue?.path.join('.')} ${issue?.message}. Write ${lang}: { name: 'Italiano', visitors: { 'Try again': 'Riprova' } }.`
    } else if (countOf(it) > maxTexts || Buffer.byteLength(JSON.stringify(it)) > maxBytes) {
      yield `has the language ${lang} with more than ${maxTexts} texts or ${maxBytes / 1024} KiB. Leave out what Linnet does not say.`
    }
  }
}

function countOf({ visitors = {}, dashboard = {}, server = {} }: z.output<typeof language>) {
  return [visitors, dashboard, server].reduce((sum, it) => sum + Object.keys(it).length, 0)
}
