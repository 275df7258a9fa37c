import type { AddressedLink, Context, OwnEvent } from '../../../core/plugin.ts'
import { addFindings, type Finding, findingsOf, removeFindings } from './findings.ts'
import type { ScanAddresses } from './scanner.ts'

type Needs = Pick<Context, 'db' | 'links' | 'now' | 'signal' | 'unstable'>

/** How many blocked links a notice names. */
const maxNamed = 20

/**
 * Scans all links again, and tells admins which turned out to be harmful. `isSure` says whether all lists could be read.
 * Only then is a block lifted if its address is no longer on any list.
 */
export async function rescanAll(
  context: Needs,
  scan: ScanAddresses,
  isSure: () => boolean,
): Promise<void> {
  const harmful: string[] = []
  for await (const page of context.links.all()) {
    if (context.signal.aborted) break
    const rowIds = page.map(({ rowId }) => rowId)
    const known = await findingsOf(context.db, rowIds)
    const { found, isAnswered } = await scan([...new Set(page.flatMap(addressesOf))])
    for (const link of page) {
      const isFound = await settle(context, link, {
        known: known.get(link.rowId) ?? [],
        found,
        isSure: isAnswered && isSure(),
      })
      if (isFound) harmful.push(context.links.shortUrl(link))
    }
  }
  if (harmful.length > 0) await tellAdmins(harmful, context)
}

async function tellAdmins(harmful: readonly string[], { unstable }: Needs): Promise<void> {
  const more = harmful.length > maxNamed ? [`… and ${harmful.length - maxNamed} more`] : []
  const named = [...harmful.slice(0, maxNamed), ...more].join('\n')
  await unstable.notices.send({
    title: harmful.length === 1 ? 'A link is blocked' : `${harmful.length} links are blocked`,
    text: `Their addresses turned out to be harmful:\n${named}`,
    ...{ level: 'warning', to: 'admins' },
  })
}

/** Removes, after an edit, the findings of addresses that the link no longer has. */
export async function forgetOldAddresses(context: Needs, link: AddressedLink): Promise<void> {
  const known = (await findingsOf(context.db, [link.rowId])).get(link.rowId) ?? []
  await settle(context, link, { known, found: new Map(), isSure: false })
}

interface Looked {
  readonly known: readonly Finding[]
  readonly found: ReadonlyMap<string, string>
  readonly isSure: boolean
}

/**
 * Updates the findings of one link, and says whether there is a new one. The order of the steps never leaves a link open that
 * should be blocked.
 */
async function settle(context: Needs, link: AddressedLink, looked: Looked): Promise<boolean> {
  const { db, links, unstable } = context
  const added = newFindings(link, looked, context.now())
  const over = looked.known.filter(finding => isOver(finding, link, looked))
  if (added.length === 0 && looked.known.length === 0) return false

  const left = [...looked.known.filter(finding => !over.includes(finding)), ...added]
  const isBlocked = left.some(({ released_at }) => released_at === null)
  if (!isBlocked) await unstable.links.markGuarded(link, false)
  await db.transaction().execute(async tx => {
    await addFindings(tx, added)
    await removeFindings(tx, over)
    const [first] = added
    if (first) await unstable.tell('blockedLink', () => blockedLink(link, first), tx)
  })
  if (isBlocked) await unstable.links.markGuarded(link, true)
  else links.recompile(link.id)
  return added.length > 0
}

/** For plugins that hear of it, such as to tell the account. */
function blockedLink({ id, accountId }: AddressedLink, { address, reason }: Finding): OwnEvent {
  return { what: 'created', accountId, before: null, after: { id, address, reason } }
}

function newFindings(link: AddressedLink, { known, found }: Looked, now: Date): readonly Finding[] {
  return [...new Set(addressesOf(link))].flatMap(address => {
    const reason = found.get(address)
    if (reason === undefined || known.some(finding => finding.address === address)) return []
    return [{ link_id: link.rowId, address, reason, found_at: now.getTime(), released_at: null }]
  })
}

function isOver(finding: Finding, link: AddressedLink, { found, isSure }: Looked): boolean {
  if (!addressesOf(link).includes(finding.address)) return true
  return isSure && finding.released_at === null && !found.has(finding.address)
}

function addressesOf({ addresses }: AddressedLink): readonly string[] {
  return addresses.map(({ url }) => url)
}
