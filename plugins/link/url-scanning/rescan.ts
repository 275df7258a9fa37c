import type { AddressedLink, Context } from '../../../core/plugin.ts'
import { addFindings, type Finding, findingsOf, removeFindings } from './findings.ts'
import type { ScanAddresses } from './scanner.ts'

type Needs = Pick<Context, 'db' | 'links' | 'now' | 'signal' | 'unstable'>

/**
 * Scans all links again. `isSure` says whether all lists could be read. Only then is a block lifted if its address is
 * no longer on any list.
 */
export async function rescanAll(
  context: Needs,
  scan: ScanAddresses,
  isSure: () => boolean,
): Promise<void> {
  for await (const page of context.links.all()) {
    if (context.signal.aborted) return
    const rowIds = page.map(({ rowId }) => rowId)
    const known = await findingsOf(context.db, rowIds)
    const { found, isAnswered } = await scan([...new Set(page.flatMap(addressesOf))])
    for (const link of page) {
      await settle(context, link, {
        known: known.get(link.rowId) ?? [],
        found,
        isSure: isAnswered && isSure(),
      })
    }
  }
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

/** Updates the findings of one link. The order of the steps never leaves a link open that should be blocked. */
async function settle(context: Needs, link: AddressedLink, looked: Looked): Promise<void> {
  const { db, links, unstable } = context
  const added = newFindings(link, looked, context.now())
  const over = looked.known.filter(finding => isOver(finding, link, looked))
  if (added.length === 0 && looked.known.length === 0) return

  const left = [...looked.known.filter(finding => !over.includes(finding)), ...added]
  const isBlocked = left.some(({ released_at }) => released_at === null)
  if (!isBlocked) await unstable.links.markGuarded(link, false)
  await addFindings(db, added)
  await removeFindings(db, over)
  if (isBlocked) await unstable.links.markGuarded(link, true)
  else links.recompile(link.id)
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
