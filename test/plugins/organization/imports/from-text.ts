import type {
  Asked,
  Item,
  Source,
  SourceFile,
} from '../../../../plugins/organization/imports/source.ts'

export const now = new Date('2026-11-27T12:00:00Z')

/** A file of some bytes, which come some at a time. */
export function fileOf(
  content: string | Uint8Array,
  name = 'links.csv',
  atOnce = 1_000,
): SourceFile {
  const bytes = Buffer.from(content as string)
  return {
    name,
    path: `/nowhere/${name}`,
    bytes: bytes.length,
    noteRead: () => undefined,
    async *read() {
      for (let at = 0; at < bytes.length; at += atOnce) yield bytes.subarray(at, at + atOnce)
    },
  }
}

/** What a source is asked, without a server. */
export function asked(given: Partial<Asked> = {}): Asked {
  return {
    settings: {},
    folder: '/nowhere',
    fetch: () => Promise.reject(new Error('No server is there')),
    signal: new AbortController().signal,
    now: () => now,
    ...given,
  }
}

/** All that a source yields of a text. */
export async function itemsOf(
  source: Source,
  content: string | Uint8Array,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<readonly Item[]> {
  return all(source.read(asked({ file: fileOf(content), settings })))
}

/** All that something yields. */
export async function all<T>(from: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = []
  for await (const it of from) found.push(it)
  return found
}

/** The items of a kind. */
export function ofKind<K extends Item['kind']>(items: readonly Item[], kind: K) {
  return items.filter((item): item is Extract<Item, { kind: K }> => item.kind === kind)
}
