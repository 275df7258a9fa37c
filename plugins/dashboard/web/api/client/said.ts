import type { ServerTexts } from '../../language/server-texts.ts'
import { words } from '../../words.ts'

/** Nothing in English, which the server speaks itself. */
const { serverTexts = { sentences: {}, problems: {} } } = words as { serverTexts?: ServerTexts }
const { sentences, problems } = serverTexts

const withValues = Object.entries(sentences)
  .filter(([english]) => english.includes('{}'))
  .map(([english, here]) => ({ pattern: patternOf(english), here }))

/** A sentence of the server in the language in use; as it came where the dashboard does not know it. */
export function said(sentence: string): string {
  return known(sentence) ?? sentence
}

/** The same of several sentences, each by itself; what is put in may be a word of the server, too. */
export function allSaid(sentences: string): string {
  return sentences
    .split(/(?<=\.) /)
    .map(sentence => known(sentence, wordSaid) ?? sentence)
    .join(' ')
}

/** What a problem says: of one whose sentence is not known, what its code means. */
export function problemSaid(code: string, detail: string): string {
  return known(detail) ?? problems[code] ?? detail
}

/** An answer in which what plugins and jobs are called is in the language in use. */
export async function labelsSaid(answer: Response): Promise<Response> {
  const body = JSON.parse(await answer.text(), (name, value) =>
    labels.has(name) && typeof value === 'string' ? said(value) : value,
  )
  return new Response(JSON.stringify(body), answer)
}

const labels = new Set(['label', 'about', 'hint', 'group'])

function known(sentence: string, putIn = (value: string) => value): string | undefined {
  if (Object.hasOwn(sentences, sentence)) return sentences[sentence]
  for (const { pattern, here } of withValues) {
    const values = pattern.exec(sentence)?.slice(1)
    if (values) return here.replaceAll('{}', () => putIn(values.shift() ?? ''))
  }
  return undefined
}

function wordSaid(word: string): string {
  return (Object.hasOwn(sentences, word) ? sentences[word] : undefined) ?? word
}

function patternOf(english: string): RegExp {
  const parts = english.split('{}').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('(.+)')}$`)
}
