import { isDeepStrictEqual } from 'node:util'
import { maxJsonBytes, tooLarge, tooLargeForJson } from '../../kernel/contain/answer-size.ts'
import type { Reply, Route } from './route/route.ts'

/** Throws when a reply is not what its route declares, and `TooLarge`: a field too many is a leak, one too few a lie. */
export function checkAnswer(route: Route, { body, json, headers = {} }: Reply): void {
  const declared = route.isVersioned && body !== undefined ? ['ETag'] : []
  if (declared.length > 0 && route.status === 201) declared.push('Location')
  const missing = declared.filter(name => !(name in headers))
  if (missing.length > 0)
    throw new Error(`The answer of ${route.name} lacks ${missing.join(', ')}.`)
  if ('Content-Type' in headers) return
  if (!route.answer) {
    if (body !== undefined) throw new Error(`${route.name} answers with a body but declares none.`)
    return
  }
  const isText = typeof json === 'string'
  expectFit(route, isText ? undefined : tooLargeForJson(body))
  const text = isText ? json : JSON.stringify(body)
  expectFit(route, text && tooLarge(text, maxJsonBytes))
  const sent: unknown = text && JSON.parse(text)
  const result = route.answer.safeParse(sent)
  if (!result.success) {
    throw new Error(
      `The answer of ${route.name} does not match its schema: ${result.error.message}`,
    )
  }
  if (!isDeepStrictEqual(result.data, sent)) {
    throw new Error(
      `The answer of ${route.name} has more than its schema: ${differing(sent, result.data)}`,
    )
  }
}

/** An answer that is as it should be, but larger than one may be. */
export class TooLarge extends Error {}

function expectFit({ name }: Route, wrong: string | undefined): void {
  if (wrong) throw new TooLarge(`The answer of ${name} ${wrong}.`)
}

/** Names where two answers first differ, such as `data.name`. This gets logged, so it must not show a secret. */
function differing(sent: unknown, shown: unknown): string {
  if (!isObject(sent) || !isObject(shown)) return ''
  const name = Object.keys(sent).find(it => !isDeepStrictEqual(sent[it], shown[it])) ?? ''
  const inside = differing(sent[name], shown[name])
  return inside === '' ? name : `${name}.${inside}`
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
