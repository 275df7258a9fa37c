import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The other programs whose moves are proved. */
export const sources = ['yourls', 'kutt', 'shlink'] as const

/** An instance of another program: its export, requests to it, and what it answered. */
export interface Moved {
  /** The program and its version. */
  readonly of: string
  /** Where it was, and where Linnet is after the move. */
  readonly baseUrl: string
  /** Its export, from this folder. */
  readonly export: string
  /** Options of the import. */
  readonly options: Readonly<Record<string, unknown>>
  /** Calls to the API of Linnet that come before the import, as its page says. */
  readonly before: readonly (readonly [method: string, path: string, body: unknown])[]
  /** Why something is other here than it was there. */
  readonly reasons: Readonly<Record<string, string>>
  readonly requests: readonly AskedOnce[]
}

/** A request and its answers. Requests come in this order, because some of them change something. */
export interface AskedOnce {
  /** Method and path. `{token}` is an API token of Linnet, other names in braces what an earlier request kept. */
  readonly ask: string
  /** The host, if it is not that of the base URL. */
  readonly host?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** Parts of the answer that later requests name, as clients do with ids. */
  readonly keep?: Readonly<Record<string, string>>
  /** Whether the program was asked, or its source was read. */
  readonly from: 'seen' | 'source'
  /** What it answers there: of a body, the members that its clients read. */
  readonly answer: Answered
  /** What of the answer is other here, by its path such as `body.link.ip`. */
  readonly here?: Readonly<Record<string, Difference>>
}

export interface Answered {
  readonly status: number
  readonly location?: string
  /** The whole body. */
  readonly text?: string
  /** Members of a JSON body. */
  readonly body?: unknown
}

export interface Difference {
  /** The value here; null if there is none. */
  readonly is?: unknown
  /** What the value here is like, where it is a new one each time. */
  readonly like?: string
  /** The name of the reason. */
  readonly because: string
}

export function movedFrom(source: (typeof sources)[number]): Moved {
  return JSON.parse(readFileSync(new URL(`./${source}/requests.json`, import.meta.url), 'utf8'))
}

/** The file of an export. */
export function exportOf(moved: Moved): string {
  return fileURLToPath(new URL(moved.export, import.meta.url))
}

/** All that an answer says, by path: members of objects and lists, and the lengths of lists. */
export function partsOf(value: unknown, path = ''): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [[path, value]]
  const under = path === '' ? '' : `${path}.`
  const length = Array.isArray(value) ? [[`${under}length`, value.length] as const] : []
  return [
    ...length,
    ...Object.entries(value).flatMap(([name, it]) => partsOf(it, `${under}${name}`)),
  ]
}

/** The part of an answer at a path; null if there is none. */
export function partAt(answer: unknown, path: string): unknown {
  const names = path.split('.')
  const found = names.reduce<unknown>(
    (it, name) => (it as Record<string, unknown> | null | undefined)?.[name],
    answer,
  )
  return found ?? null
}
