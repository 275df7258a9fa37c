import { isIPv4 } from 'node:net'
import type { PluginFinding } from '../../../core/plugin.ts'
import { type OwnContext, type Passkey, passkeyTable } from './tables.ts'

/** Passkeys are for the host of the dashboard, and for no other. */
export function siteOf({ links }: Pick<OwnContext, 'links'>): URL {
  return new URL(links.apiUrl('/'))
}

/** Whether browsers have passkeys at an address: over https or on this machine, and for a name in place of an IP address. */
export function hasPasskeys({ protocol, hostname }: URL): boolean {
  const isAddress = hostname.startsWith('[') || isIPv4(hostname)
  return !isAddress && (protocol === 'https:' || /^(.+\.)?localhost$/.test(hostname))
}

/** Whether a browser may use a passkey here. It is tried if it is not known where the passkey was made. */
export function worksHere({ host }: Passkey, context: Pick<OwnContext, 'links'>): boolean {
  return host === '' || host === siteOf(context).hostname
}

/** Finds passkeys that were made for another host, as before the dashboard moved. */
export async function examinePasskeys(context: OwnContext): Promise<readonly PluginFinding[]> {
  const here = siteOf(context).hostname
  const others = await context.db
    .selectFrom(passkeyTable)
    .select(({ fn }) => ['host', fn.countAll<number>().as('passkeys')])
    .where('host', 'not in', ['', here])
    .groupBy('host')
    .orderBy('host')
    .limit(mostHosts)
    .execute()
  return others.map(({ host, passkeys }) => ({
    status: 'warning',
    says: `Passkeys that were made at ${host} do not work at ${here}: ${passkeys}.`,
    remedy:
      'Their owners sign in by their app or a recovery code, and add a passkey anew. Or give the dashboard its former address again.',
  }))
}

const mostHosts = 20
