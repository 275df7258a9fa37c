import type { ServerTexts } from '../../language/server-texts.ts'
import { words } from '../../words.ts'

/** Empty in English, which is the server's own language. */
const { serverTexts = { sentences: {}, problems: {} } } = words as { serverTexts?: ServerTexts }
const { sentences, problems } = serverTexts

const withValues = Object.entries(sentences)
  .filter(([english]) => english.includes('{}'))
  .map(([english, here]) => ({ pattern: patternOf(english), here }))

/** A sentence of the server in the current language; unchanged if the dashboard has no translation. */
export function said(sentence: string): string {
  return known(sentence) ?? sentence
}

/** The same for several sentences, one by one. A value in a sentence may be a term of the server's, too. */
export function allSaid(sentences: string): string {
  return sentences
    .split(/(?<=\.) /)
    .map(sentence => known(sentence, wordSaid) ?? sentence)
    .join(' ')
}

/** The text of a problem. If its sentence has no translation, the meaning of its code. */
export function problemSaid(code: string, detail: string): string {
  return known(detail) ?? problems[code] ?? detail
}

/** The answer with the labels of plugins, jobs and the like in the current language. */
export async function labelsSaid(answer: Response): Promise<Response> {
  const body = JSON.parse(await answer.text(), (name, value) =>
    labels.has(name) && typeof value === 'string' ? said(value) : value,
  )
  return new Response(JSON.stringify(body), answer)
}

const labels = new Set([
  ...['label', 'about', 'hint', 'group'],
  ...['title', 'lead', 'submit', 'confirm', 'done', 'empty'],
])

function known(sentence: string, putIn = (value: string) => value): string | undefined {
  if (Object.hasOwn(sentences, sentence)) return sentences[sentence]
  for (const { pattern, here } of withValues) {
    const values = pattern.exec(sentence)?.slice(1)
    if (values) {
      let next = 0
      return here.replace(/\{(\d?)\}/g, (_, place) =>
        putIn(values[place ? place - 1 : next++] ?? ''),
      )
    }
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
