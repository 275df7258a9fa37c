import { digest } from '../../accounts/digest.ts'
import { type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { Reply } from './route/route.ts'

/**
 * The strong validator of an answer (RFC 9110, section 8.8.3): the version of the thing it shows, and a digest
 * of the whole answer, since visits and the like change without a new version.
 */
export function etagOf(
  version: number | string,
  shown: unknown,
  json = JSON.stringify(shown),
): string {
  return `"${version}.${digest(json).slice(0, 16)}"`
}

/** The answer that shows one thing, made JSON once for its body and its `ETag`. */
export function versionedReply(
  version: number | string,
  data: unknown,
  headers: Reply['headers'] = {},
): Reply {
  const json = JSON.stringify(data)
  return {
    body: { data },
    json: `{"data":${json}}`,
    headers: { ETag: etagOf(version, data, json), ...headers },
  }
}

/**
 * Refuse a change that was meant for another version: RFC 9110, section 13.1.1. Only the version counts, and
 * unlike in the RFC a weak validator is as good as a strong one, since proxies that compress make validators
 * weak.
 */
export function checkIfMatch(
  ifMatch: string | undefined,
  version: number | string,
): Refusal | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  const meant = validatorsIn(ifMatch).map(versionIn)
  if (meant.includes(String(version))) return undefined
  return refuse(
    'stale',
    'This was changed in the meantime. Read it again, then repeat your change.',
    412,
  )
}

/** The version that a validator names. */
export function versionIn(etag: string | undefined): string | undefined {
  return /^"([^".]*)/.exec(etag ?? '')?.[1]
}

/** Whether a client has just this answer already: RFC 9110, section 13.1.2. */
export function isKnown(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined || etag === undefined) return false
  return ifNoneMatch.trim() === '*' || validatorsIn(ifNoneMatch).includes(etag)
}

/** The validators of a header, each as if it were strong. */
function validatorsIn(header: string): readonly string[] {
  return header.split(',').map(it => it.trim().replace(/^W\//, ''))
}
