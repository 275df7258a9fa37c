import { placesIn } from '../../lib/text/say.ts'
import { showHidden } from '../../lib/text/shown.ts'
import type { Language, PluralForms } from '../../plugin/answers/language.ts'
import type { Plugin } from '../../plugin.ts'

/** A language that a running plugin brings, with its texts that fit. */
export interface BroughtLanguage {
  /** As HTML names it, such as `it` or `pt-BR`. */
  readonly lang: string
  readonly feature: string
  readonly name: string
  readonly dir: 'ltr' | 'rtl'
  readonly visitors: Readonly<Record<string, string>>
  readonly dashboard: Readonly<Record<string, string | PluralForms>>
  readonly server: Readonly<Record<string, string>>
  /** The English texts whose translation is not used, each with the reason. */
  readonly unfit: readonly Unfit[]
}

interface Unfit {
  readonly text: string
  readonly why: string
}

/** The languages that these plugins bring. */
export function broughtLanguages(plugins: readonly Plugin[]): readonly BroughtLanguage[] {
  return plugins.flatMap(({ feature, unstable }) =>
    Object.entries(unstable?.languages ?? {}).map(([lang, language]) => ({
      ...checkedOnce(language),
      lang,
      feature,
    })),
  )
}

type Checked = Omit<BroughtLanguage, 'lang' | 'feature'>

/** It takes longer than a redirect should wait while plugins are switched. */
const checked = new WeakMap<Language, Checked>()

function checkedOnce(language: Language): Checked {
  const known = checked.get(language) ?? check(language)
  checked.set(language, known)
  return known
}

function check({ name, dir, ...texts }: Language): Checked {
  const unfit: Unfit[] = []
  function fitting<Text extends string | PluralForms>(given: Readonly<Record<string, Text>> = {}) {
    const fit = Object.entries(given).filter(([text, here]) => {
      const why = unfitBecause(text, here)
      if (why) unfit.push({ text, why })
      return here !== '' && !why
    })
    return Object.fromEntries(fit)
  }
  const { visitors, dashboard, server } = texts
  return {
    ...{ name, dir: dir ?? 'ltr', unfit },
    visitors: fitting(visitors),
    dashboard: fitting(dashboard),
    server: fitting(server),
  }
}

/** Why a translation cannot stand for an English text; undefined if it can, or if it is empty: not translated yet. */
function unfitBecause(text: string, here: string | PluralForms): string | undefined {
  const count = text.split('{}').length - 1
  if (/\{\}\{\}|^\{\}$/.test(text)) return 'nothing stands beside its {}'
  const { other, ...rarer } = typeof here === 'string' ? { other: here } : here
  if (other === '') return undefined
  const all = [other, ...Object.values(rarer).filter(it => it !== undefined)]
  if (all.some(it => it.length > mostFor(text))) return 'it is too long'
  if (all.some(it => markup.test(it)) && !markup.test(text)) return 'it has markup in it'
  if (all.some(it => showHidden(it) !== it)) return 'it has characters that nobody sees in it'
  if (isPath.test(text)) return undefined
  const isOther = String([...placesIn(other)].sort()) !== String(placesIn(text))
  const isBeyond = all.some(it => placesIn(it).some(place => place > count))
  return isOther || isBeyond ? 'its {} are not those of English' : undefined
}

/** No translation that reads well is longer, and what is longer breaks the layout. In UTF-16 units. */
const mostFor = (text: string): number => (isPath.test(text) ? 1_000 : 60 + 3 * text.length)

/** How the dashboard names a text where English has one for two. The browser compares what is put in. */
const isPath = /^[a-z]+[tT]exts?(\.\w+)+$|^texts(\.\w+)+$/

const markup = /<|&#?\w+;/
