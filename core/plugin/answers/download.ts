/** A file of any size, which is made while it is sent. */
export interface Download {
  readonly kind: 'download'
  /** Media type. */
  readonly type: string
  /** How browsers save it: letters, digits, dots, hyphens and underscores. */
  readonly name: string
  readonly content: AsyncIterable<string | Uint8Array>
}

/**
 * Answer with a file that is made while it is sent, as fast as the client takes it: for what has no bound. If `content` throws,
 * the connection breaks, so that nobody takes a part for the whole.
 *
 * @example
 * download('text/plain', 'moods.txt', (async function* () { yield 'calm' })()).name // moods.txt
 */
export function download(
  type: string,
  name: string,
  content: AsyncIterable<string | Uint8Array>,
): Download {
  return { kind: 'download', type, name, content }
}
