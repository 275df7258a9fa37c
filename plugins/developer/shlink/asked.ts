import type { Context, Json, MountRequest } from '../../../core/plugin.ts'

/** A request to the API of Shlink. */
export interface Asked extends Pick<MountRequest, 'call' | 'caller' | 'path' | 'query'> {
  /** The members of a JSON object or of a form; empty for everything else. */
  readonly body: Readonly<Record<string, Json>>
  /** What the path names, such as a short code. */
  readonly named: string
  readonly links: Context['links']
  now(): Date
}

/** A code as it was meant; as it is, if it is not encoded as codes are. */
export function decoded(code: string): string {
  try {
    return decodeURIComponent(code)
  } catch {
    return code
  }
}

export function textIn({ body }: Pick<Asked, 'body'>, name: string): string | undefined {
  const value = body[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A list in the query, as PHP reads one: `tags[]=a&tags[]=b`. */
export function listIn({ query }: Pick<Asked, 'query'>, name: string): readonly string[] {
  return [...query].flatMap(([key, value]) => (key.replace(/\[\d*\]$/, '') === name ? [value] : []))
}

/** The page of a list that was asked for. Shlink has all in one page with `itemsPerPage=-1`; here there is a bound. */
export function pageIn({ query }: Pick<Asked, 'query'>, usual: number) {
  const number = (name: string, otherwise: number) => {
    const text = query.get(name) ?? ''
    return /^\d{1,6}$/.test(text) ? Math.max(1, Number(text)) : otherwise
  }
  const wanted = query.get('itemsPerPage') === '-1' ? most : number('itemsPerPage', usual)
  return { page: Math.min(100_000, number('page', 1)), itemsPerPage: Math.min(most, wanted) }
}

const most = 1_000

export function pagination(page: number, itemsPerPage: number, total: number, shown: number) {
  return {
    currentPage: page,
    pagesCount: Math.max(1, Math.ceil(total / itemsPerPage)),
    itemsPerPage,
    itemsInCurrentPage: shown,
    totalItems: total,
  }
}

/** A moment as the API takes it. Shlink reads those without an offset as its own time, which is UTC here. */
export function momentOf(value: Json | undefined): Json | undefined {
  if (typeof value !== 'string' || value === '') return value === '' ? null : value
  const zoned = /(?:z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value.replace(' ', 'T')}Z`
  const at = new Date(/^\d{4}-\d\d-\d\dz$/i.test(zoned) ? value : zoned)
  return Number.isNaN(at.getTime()) ? value : at.toISOString()
}

/** As PHP writes moments in ATOM. */
export function atom(moment: string | null | undefined): string | null {
  return moment ? moment.replace(/(\.\d+)?Z$/, '+00:00') : null
}
