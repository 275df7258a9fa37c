import type { AnswerHeaders } from './answer-headers.ts'

/** An answer that is not JSON. */
export interface File {
  readonly kind: 'file'
  /** Media type. */
  readonly type: string
  readonly content: string | Uint8Array
  /** How long clients may cache it, in seconds. */
  readonly maxAgeSeconds: number
  /** HTTP status. Default: that of a success. */
  readonly status?: number
  readonly headers?: AnswerHeaders
}

/**
 * Answer with a file.
 *
 * @example
 * file('image/svg+xml', '<svg/>', 86_400)
 */
export function file(
  type: string,
  content: File['content'],
  maxAgeSeconds: number,
  status?: number,
  headers?: AnswerHeaders,
): File {
  return {
    kind: 'file',
    type,
    content,
    maxAgeSeconds,
    ...(status !== undefined && { status }),
    ...(headers && { headers }),
  }
}
