import { type Called, isRefusal, type Refusal, z } from '../../../core/plugin.ts'
import { failure, refusedBy, type Said } from './answers.ts'
import { type Asked, defaultHost } from './asked.ts'
import { publicIdIn, uuidOf } from './uuid.ts'

/** The members of a link in the API that Kutt has too. Plugins that are off add none of theirs. */
export const linkSchema = z.object({
  id: z.string(),
  shortCode: z.string(),
  shortUrl: z.string(),
  originalUrl: z.string(),
  domain: z.string(),
  notes: z.string().nullable(),
  status: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  visits: z.object({ total: z.number() }),
  hasPassword: z.boolean().optional(),
  expiresAt: z.string().nullish(),
})
export type Link = z.output<typeof linkSchema>

const one = z.object({ data: linkSchema })

export function linkIn(called: Called): Link | Refusal {
  return called.status < 300 ? one.parse(called.body).data : refusedBy(called)
}

/** The link of the account with the UUID of the path. */
export async function findNamed({ uuid, call }: Asked): Promise<Link | Said> {
  const id = publicIdIn('lnk', uuid)
  const found = id === undefined ? undefined : linkIn(await call('GET', `/links/${id}`))
  return found && !(isRefusal(found) && found.status === 404) ? found : noLink
}

const noLink = failure(404, 'Link was not found.')

/** A link as Kutt shows it. */
export function shown(asked: Pick<Asked, 'links'>, link: Link) {
  return {
    id: uuidOf(link.id),
    address: link.shortCode,
    banned: link.status === 'blocked',
    created_at: link.createdAt,
    updated_at: link.updatedAt,
    password: link.hasPassword ?? false,
    description: link.notes,
    expire_in: link.expiresAt ?? null,
    target: link.originalUrl,
    visit_count: link.visits.total,
    domain: link.domain === defaultHost(asked) ? null : link.domain,
    link: link.shortUrl,
  }
}

export function isSaid(it: object): it is Said {
  return 'kind' in it
}
