import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Programs that have a door here: their clients go on at the same address. */
export const programs = ['yourls', 'kutt', 'shlink'] as const

/** Programs and services without one: their links go on, on a host of their own. */
export const services = [
  ...(['polr', 'chhoto', 'sink', 'bitly', 'dub'] as const),
  ...(['rebrandly', 'short-io', 'firebase', 'csv'] as const),
]

export type Source = (typeof programs)[number] | (typeof services)[number]

/** An instance of another program: its export, requests to it, and what it answered. */
export interface Moved {
  /** The program and its version. */
  readonly of: string
  /** The file in `docs/moving-from/` that has the reasons, and under which heading. By default the page of its own. */
  readonly page?: readonly [file: string, heading: string]
  /** Where it was, and where Linnet is after the move, if it has a door. */
  readonly baseUrl?: string
  /** The host of its links, if it has none. */
  readonly host?: string
  /** Its export, from this folder: a file, or the answers of its API by path and query, in `api.json`. */
  readonly export: string
  /** What the source asks for. `{api}` is where the answers of the API are. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** Options of the import. */
  readonly options: Readonly<Record<string, unknown>>
  /** Calls to the API of Linnet that come before the import, as its page says. */
  readonly before: readonly (readonly [method: string, path: string, body: unknown])[]
  /** Where answers were read that are neither `seen` nor from the `source`, by the names that requests have. */
  readonly cited?: Readonly<Record<string, string>>
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
  /** `seen`: the program was asked. `source`: its source was read. Otherwise a name in `cited`. */
  readonly from: string
  /** What it answers there, as far as it is known: of a body, the members that its clients read. */
  readonly answer: Answered
  /** What of the answer is other here, by its path such as `body.link.ip`. */
  readonly here?: Readonly<Record<string, Difference>>
}

export interface Answered {
  readonly status?: number
  /** Null: it does not redirect. */
  readonly location?: string | null
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

export function movedFrom(source: Source): Moved {
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
