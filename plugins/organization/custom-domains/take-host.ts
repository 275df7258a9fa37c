import { type Context, type OwnEvent, type Refusal, refuse } from '../../../core/plugin.ts'
import { type Domain, findHolder, passHost, withLinksCount } from './domains.ts'
import { isProven, placesOf } from './proof.ts'
import { ofInstance } from './refusals.ts'
import { findShared } from './shared.ts'
import { showDomain } from './show-domain.ts'

/**
 * Verifies a claim: the account that proves that a host is its own gets it. The former owner loses the host, because
 * hosts change hands. If the former owner's proof is still published, nothing changes.
 */
export async function takeHost(domain: Domain, context: Context): Promise<Refusal | undefined> {
  const { db, log } = context
  if (await findShared(db, domain.host)) return ofInstance
  if (!(await isProven(domain, context))) return unproven(domain)
  const tell = (tx: Context['db'], before: Domain) =>
    context.unstable.tell('domain', () => updated(tx, before), tx)
  const holder = await findHolder(db, domain.host)
  if (holder && (await isProven(holder, context))) return taken
  if (!(await passHost(context, domain, holder, tell))) {
    return (await findShared(db, domain.host)) ? ofInstance : taken
  }
  if (holder) {
    const { host, links_count: links } = holder
    log.warn(
      `${host} now belongs to another account; ${links} links of the former owner stay closed`,
      { host },
    )
  }
  return undefined
}

async function updated(db: Context['db'], before: Domain): Promise<OwnEvent> {
  const after = await withLinksCount(db).where('id', '=', before.id).executeTakeFirstOrThrow()
  return {
    what: 'updated',
    accountId: before.account_id,
    before: showDomain(before),
    after: showDomain(after as Domain),
  }
}

const taken = refuse(
  'host_taken',
  'Another account has this host, and its proof is still there. Remove that TXT record or file first.',
  409,
  'host',
)

function unproven(domain: Domain): Refusal {
  const { dnsName, fileUrl } = placesOf(domain)
  return refuse(
    'not_verified',
    `Neither the TXT records of ${dnsName} nor the file at ${fileUrl} contain ${domain.proof}. ` +
      'A new record can take an hour to become visible. If the host already points to Linnet, only the record works.',
    409,
  )
}
