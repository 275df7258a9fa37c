import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf, ifMatch, versionOf } from '../client/client.ts'
import { isProblem } from '../client/problem.ts'
import { sendOnce } from '../client/send-once.ts'
import type { Manifest } from './manifest.ts'

/** A part of a page that a plugin declares. */
export type Panel = NonNullable<Manifest[number]['dashboard']['linkPanel']>

/** A request to an endpoint of a plugin. */
export type Call = Pick<NonNullable<Panel['from']>, 'method' | 'path'>

/** What fills the parameters of its path, by name. */
export type Filling = (parameter: string) => string

/** The first part of the cache keys of everything that panels show. */
export const panelsKey = ['panels'] as const

/** The types know the endpoints of our own plugins only. */
const request = api.request as unknown as (
  method: string,
  address: string,
  init: object,
) => Promise<{ readonly data?: unknown; readonly response: Response }>

/** The address of a call. */
export function addressOf({ path }: Call, fill: Filling): string {
  return `/api/v1${path.replace(/:([^/]+)/g, (_, name: string) => encodeURIComponent(fill(name)))}`
}

/** What an endpoint answers, with its version; `data` is undefined if it has nothing to show. */
export function answerQuery(address: string) {
  return queryOptions({
    queryKey: [...panelsKey, address],
    queryFn: ({ signal }) => readAnswer(address, signal),
  })
}

/** Whether a part of a panel is there: `data` is as its plugin says. Nobody knows before there is an answer. */
export function isThere(
  when: Panel['when'],
  answer: { readonly data?: unknown } | undefined,
): boolean {
  if (when.length === 0) return true
  const known = new Map<string, unknown>(Object.entries(answer?.data ?? {}))
  return (
    answer !== undefined && when.every(({ name, value }) => (known.get(name) ?? null) === value)
  )
}

async function readAnswer(address: string, signal: AbortSignal) {
  try {
    const { body, etag } = await versionOf(request('get', address, { signal }))
    return { data: (body as { readonly data?: unknown }).data ?? undefined, etag }
  } catch (error) {
    if (isProblem(error, 404)) return { data: undefined, etag: '*' }
    throw error
  }
}

/** More rows than anybody reads. */
const maxEntries = 1_000

/** What people chose in the filters above a list, by the name of the parameter. */
export type Chosen = Readonly<Record<string, string | null>>

/** A list that an endpoint answers, fifty entries at a time if it `isPaged`. What is no object is none of its entries. */
export function listQuery(address: string, isPaged: boolean, chosen: Chosen) {
  return infiniteQueryOptions({
    queryKey: [...panelsKey, address, 'list', chosen],
    async queryFn({ pageParam: cursor, signal }) {
      const ask = async (per_page: number) => {
        const page = isPaged && { per_page, ...(cursor !== null && { cursor }) }
        const query = { ...chosen, ...page }
        return (await dataOf(request('get', address, { signal, params: { query } }))) as Page
      }
      try {
        return await ask(50)
      } catch (error) {
        // Rows may be larger than fifty of them may be together.
        if (isPaged && isProblem(error, 413)) return ask(10)
        throw error
      }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => (isPaged ? meta?.nextCursor : undefined),
    select: ({ pages }) => ({
      isList: pages.every(({ data }) => Array.isArray(data)),
      entries: pages
        .flatMap(({ data }) => (Array.isArray(data) ? data : []))
        .filter(it => typeof it === 'object' && it !== null)
        .slice(0, isPaged ? undefined : maxEntries) as readonly object[],
    }),
  })
}

interface Page {
  readonly data?: unknown
  readonly meta?: { readonly nextCursor?: string | null }
}

interface Sent {
  readonly body?: object
}

/** Sends a request that creates something; if it is repeated because nobody knows its outcome, it creates no second one. */
export function createOnce(address: string): (sent: Sent) => Promise<Answer> {
  return sendOnce((sent: Sent, key) =>
    request('post', address, { ...sent, headers: { 'Idempotency-Key': key } }),
  )
}

/** What an action was answered. */
export interface Answer {
  readonly data?: unknown
}

/** Sends a change. With an `etag`, throws a `Problem` of 412 if there is a newer version. */
export async function change(
  method: string,
  address: string,
  { body, etag }: { readonly body?: object; readonly etag?: string } = {},
): Promise<Answer> {
  return request(method, address, {
    ...(body && { body }),
    ...(etag && { headers: ifMatch(etag) }),
  })
}
