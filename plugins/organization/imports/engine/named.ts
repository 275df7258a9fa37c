import type { Called, Context } from '../../../../core/plugin.ts'
import type { Campaign, Tag } from '../source.ts'
import { isAboutAccount, Stopped } from './stop.ts'

/** Something that links are put into, by its name: its id, or why there is none. */
export type Found = { readonly id: string } | { readonly problem: string }

/** Finds or makes tags, or campaigns, of accounts. */
export interface Named {
  /** Notes how one looks, for when it is made. */
  note(item: Tag | Campaign): void
  find(name: string, accountId: number): Promise<Found>
}

/** How many characters of looks are kept, and how many a name may have. */
const maxNoted = 4_000_000
const maxName = 500

/** `path` is where the API has them, such as `/tags`. In a dry import none is made. */
export function named(
  path: '/tags' | '/campaigns',
  { unstable }: Pick<Context, 'unstable'>,
  isDry: boolean,
): Named {
  const looks = new Map<string, object>()
  let noted = 0
  const found = new Map<string, Promise<Found>>()

  async function findOrMake(name: string, accountId: number): Promise<Found> {
    const there = await findNamed(name, accountId)
    if (there) return { id: there.id }
    const to = isDry ? `${path}?dry_run=true` : path
    const made = await unstable.callApi(accountId, 'POST', to, { name, ...looks.get(name) })
    if (made.status === 201) return { id: isDry ? '' : `${dataOf(made)?.id}` }
    if (isAboutAccount({ code: codeOf(made) })) throw new Stopped(detailOf(made))
    return { problem: detailOf(made) }
  }

  async function findNamed(name: string, accountId: number): Promise<Listed | undefined> {
    // With half a letter, nothing is there.
    if (!name.isWellFormed()) return undefined
    const search = `${path}?per_page=100&search=${encodeURIComponent(name)}`
    const listed = await unstable.callApi(accountId, 'GET', search)
    return listOf(listed).find(it => fold(it.name) === fold(name))
  }

  return {
    note(item) {
      const its = looksOf(item)
      noted += item.name.length + JSON.stringify(its).length
      if (noted < maxNoted) looks.set(item.name, its)
    },
    async find(name, accountId) {
      if (name.length > maxName) return { problem: 'Its name is too long.' }
      const key = `${accountId} ${fold(name)}`
      const known = found.get(key)
      if (known) return known
      // There may be any number of names, and each can be found again.
      if (found.size >= 10_000) found.clear()
      const finding = findOrMake(name, accountId)
      found.set(key, finding)
      return finding
    },
  }
}

function looksOf(item: Tag | Campaign): object {
  const color = item.color ? { color: item.color } : {}
  if (item.kind === 'tag') return color
  const { description, startsAt, endsAt } = item
  return {
    ...color,
    ...(description && { description }),
    ...(startsAt && { startsAt: startsAt.toISOString() }),
    ...(endsAt && { endsAt: endsAt.toISOString() }),
  }
}

interface Listed {
  readonly id: string
  readonly name: string
}

function dataOf({ body }: Called): Listed | undefined {
  return (body as { readonly data?: Listed } | undefined)?.data
}

function listOf({ body }: Called): readonly Listed[] {
  const { data = [] } = (body ?? {}) as { readonly data?: readonly Listed[] }
  return Array.isArray(data) ? data : []
}

export function codeOf({ body }: Called): string {
  return `${(body as { readonly code?: string } | undefined)?.code ?? ''}`
}

export function detailOf({ body }: Called): string {
  const { detail = 'It is not there now.', errors = [] } = (body ?? {}) as {
    readonly detail?: string
    readonly errors?: readonly { readonly field: string; readonly message: string }[]
  }
  const [first] = errors
  return first ? `${first.field}: ${first.message}` : detail
}

function fold(name: string): string {
  return name.trim().normalize('NFKC').toLowerCase()
}
