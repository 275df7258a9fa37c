import { type Context, isRefusal, type Json } from '../../../../core/plugin.ts'
import type { Counts, Item, LinkItem } from '../../../../plugins/organization/imports/source.ts'
import type { Harness } from '../../../harness.ts'

/** Makes what a source would yield, as plainly as can be, and throws for whatever is refused. */
export async function bring(
  items: readonly Item[],
  { account: { rowId: owner } }: Pick<Harness, 'account'>,
  context: Context,
): Promise<void> {
  const { links, unstable } = context
  const named = new Map<string, string>()
  const partsOf = Map.groupBy(
    items.filter((it): it is Counts => it.kind === 'counts'),
    ({ link }) => link,
  )
  for (const item of items) {
    if (item.kind === 'refused') throw new Error(`${item.row}: ${item.reason}`)
    if (item.kind === 'host' && item.rules) await unstable.codes.change('', item.rules)
    if (item.kind === 'tag' || item.kind === 'campaign') await makeThing(item)
    if (item.kind === 'link') await makeLink(item, partsOf.get(item.id) ?? [])
  }

  async function makeThing(item: Extract<Item, { kind: 'tag' | 'campaign' }>): Promise<void> {
    const { kind, row: _, owner: __, ...body } = JSON.parse(JSON.stringify(item))
    const path = kind === 'tag' ? '/tags' : '/campaigns'
    const made = await unstable.callApi(owner, 'POST', path, body)
    if (made.status !== 201) throw new Error(JSON.stringify(made))
    named.set(`${kind} ${item.name}`, (made.body as { data: { id: string } }).data.id)
  }

  async function makeLink(item: LinkItem, parts: readonly Counts[]): Promise<void> {
    const { fields, code, formerCodes, tags = [], campaign, password, lastVisitAt } = item
    const dated = parts.flatMap(it => it.counts).reduce((sum, it) => sum + it.visits, 0)
    const undated = (item.visits ?? 0) - dated
    const body = {
      ...fields,
      archived: item.isArchived ?? false,
      shortCode: code,
      ...(tags.length > 0 && { tagIds: tags.map(name => named.get(`tag ${name}`) ?? '') }),
      ...(campaign && { campaignId: named.get(`campaign ${campaign}`) ?? '' }),
    }
    const made = await links.create(owner, body as Readonly<Record<string, Json>>, {
      ...{ createdAt: item.createdAt, updatedAt: item.updatedAt, formerCodes },
      ...(password && 'hash' in password && { hashed: { password: password.hash } }),
      visits: { undated, lastVisitAt: undated > 0 ? lastVisitAt : undefined },
    })
    if (isRefusal(made)) throw new Error(`${item.row}: ${JSON.stringify(made)}`)
    for (const [index, { part, counts }] of parts.entries()) {
      const last = index === parts.length - 1 ? lastVisitAt : undefined
      const added = await links.addVisits(owner, made.id, part, { counts, lastVisitAt: last })
      if (added !== true) throw new Error(JSON.stringify(added))
    }
  }
}

/** The lines of an export without what is new in each: ids, and when it was made. */
export function comparable(text: string): readonly unknown[] {
  const ids = new Map<string, string>()
  return text
    .trimEnd()
    .split('\n')
    .map(line => {
      const { id, link, at: _, ...rest } = JSON.parse(line.replace(/lnk_\w+(?=\/qr")/, 'lnk_'))
      if (id !== undefined) ids.set(id, `link ${ids.size}`)
      return { ...rest, of: ids.get(id ?? link) }
    })
}
