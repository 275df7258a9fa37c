import { batchConcurrent } from '../../lib/async/batch-concurrent.ts'
import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import { inTransactionUnlessRefused, type Tx } from '../../storage/database.ts'
import { pace } from '../../storage/database-kind.ts'
import { storeBrought, takeImportKeys } from '../../visits/store/store-brought.ts'
import type { BroughtVisits } from '../../visits/wire/packed-sums.ts'
import type { Link } from '../link.ts'
import { linksOfRows } from '../read/find-link.ts'
import type { LinkDeps } from './link-deps.ts'

type Deps = Pick<LinkDeps, 'db' | 'hooks' | 'broughtVisits'>

/** Visits that a link of an account had elsewhere. */
export interface Addition {
  readonly accountId: number
  readonly rowId: number
  readonly key: string
  readonly brought: BroughtVisits | undefined
}

/**
 * Adds visits that a link had elsewhere, once for each key: false if this one was taken before. Refused: if the link is
 * gone, or a plugin fails that counts them, too.
 */
export type AddVisits = (addition: Addition) => Promise<boolean | Refusal>

/** Adds what comes at the same moment in one transaction: an import has a part for each of thousands of links. */
export function visitAddition(deps: Deps): AddVisits {
  return batchConcurrent({
    ...pace(deps.db),
    keyOf: ({ accountId }: Addition) => accountId,
    async work(additions: readonly Addition[]) {
      if (additions.length > 1) {
        const added = await addAll(deps, additions).catch(() => notTogether)
        if (!isRefusal(added)) return added
      }
      // Each fails alone, for its own reason.
      return additions.map(async addition => {
        const added = await addAll(deps, [addition])
        return isRefusal(added) ? added : (added[0] ?? false)
      })
    },
  })
}

const notTogether = refuse('unavailable', 'These visits cannot be added together.', 503)
const noSuchLink = refuse('not_found', 'This link does not exist.', 404)

function addAll(deps: Deps, additions: readonly Addition[]) {
  return inTransactionUnlessRefused(deps.db, async tx => {
    const links = await linksOfRows(tx, [...new Set(additions.map(({ rowId }) => rowId))])
    const known = additions.map(addition => {
      const link = links.get(addition.rowId)
      return link?.accountId === addition.accountId ? { ...addition, link } : undefined
    })
    const isNew = await takeImportKeys(
      tx,
      known.flatMap(it => it ?? []),
    )
    const added = known.flatMap(it => (it && isNew(it) ? [it] : []))
    const refusal = await bringVisits(
      deps,
      tx,
      added.flatMap(({ link, brought }) => (brought ? [{ link, brought }] : [])),
    )
    const taken = new Set<Addition | undefined>(added)
    return refusal ?? known.map(it => (it ? taken.has(it) : noSuchLink))
  })
}

/** Adds visits from elsewhere in a transaction that happens once. Refused: if a plugin fails that counts them, too. */
export async function bringVisits(
  { hooks, broughtVisits }: Deps,
  tx: Tx,
  links: readonly { readonly link: Link; readonly brought: BroughtVisits }[],
): Promise<Refusal | undefined> {
  if (links.length === 0) return undefined
  const refusal = await hooks.brought(
    tx,
    links.map(({ link, brought: { visits } }) => ({ link, visits })),
  )
  if (refusal) return refusal
  const batchId = await storeBrought(
    tx,
    links.map(({ link: { rowId: linkId }, brought }) => ({ linkId, brought })),
  )
  await broughtVisits(tx, batchId)
  return undefined
}
