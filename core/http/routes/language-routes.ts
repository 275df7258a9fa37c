import { z } from 'zod'
import type { BroughtLanguage } from '../../kernel/hooks/languages.ts'
import { refuse } from '../../plugin/outcomes.ts'
import type { Contract } from '../../settings/contract.ts'
import { type PreparedJson, prepareJson } from '../api/prepared-json.ts'
import { type Route, route } from '../api/route/route.ts'

const language = z.strictObject({
  lang: z.string().meta({ examples: ['it', 'pt-BR'] }),
  name: z.string().meta({ description: 'What it calls itself, such as `Italiano`.' }),
  dir: z.enum(['ltr', 'rtl']).meta({ description: 'The direction that it is written in.' }),
})

const textsByEnglish = z.record(z.string(), z.string())
const languageWithTexts = language.extend({
  dashboard: z.record(z.string(), z.union([z.string(), textsByEnglish])).meta({
    description: 'Texts of the dashboard by the English ones or by their paths.',
  }),
  sentences: textsByEnglish.meta({
    description: 'What the server says, by the English sentences.',
  }),
  problems: textsByEnglish.meta({ description: 'What problems mean, by their codes.' }),
})

const languagesAnswer = z.strictObject({ data: z.array(language) })
const languageAnswer = z.strictObject({ data: languageWithTexts })

/** The languages that plugins bring. The dashboard asks for them before anybody signs in. */
export function languageRoutes({
  languages,
  contract,
}: {
  readonly languages: readonly BroughtLanguage[]
  readonly contract: Pick<Contract, 'problems'>
}): readonly Route[] {
  const prepared = new Map<string, Promise<PreparedJson>>()

  function prepare(it: BroughtLanguage): Promise<PreparedJson> {
    const ready =
      prepared.get(it.lang) ?? prepareJson({ data: withProblems(it, contract.problems) })
    prepared.set(it.lang, ready)
    return ready
  }

  return [
    route('GET /languages', {
      name: 'languages.list',
      group: 'Languages',
      summary: 'List the languages that plugins bring, besides those of Linnet',
      scope: 'anyone',
      answer: languagesAnswer,
      handle: () => ({ body: { data: languages.map(described) } }),
    }),
    route('GET /languages/:lang', {
      name: 'languages.show',
      group: 'Languages',
      summary: 'Get the texts of a language for the dashboard',
      scope: 'anyone',
      answer: languageAnswer,
      problems: [404],
      isVersioned: true,
      async handle({ params: { lang }, acceptEncoding }) {
        const found = languages.find(it => it.lang === lang)
        if (!found) return refuse('not_found', 'No running plugin brings this language.', 404)
        return (await prepare(found))(acceptEncoding)
      },
    }),
  ]
}

function described({ lang, name, dir }: BroughtLanguage) {
  return { lang, name, dir }
}

/** What a problem means is translated by what it means in English, as everything else is. */
function withProblems(it: BroughtLanguage, problems: Contract['problems']) {
  const { dashboard, server } = it
  const known = Object.entries(problems).flatMap(([code, [, meaning]]) => {
    const here = Object.hasOwn(server, meaning) ? server[meaning] : undefined
    return here === undefined ? [] : [[code, here] as const]
  })
  return { ...described(it), dashboard, sentences: server, problems: Object.fromEntries(known) }
}
