import { randomBytes } from 'node:crypto'
import type { Context } from '../../../core/plugin.ts'

/** A claim to a host, and the text by which its owner proves it. */
export interface Claimed {
  readonly host: string
  /** Such as `linnet-verification=…`; different for each account and host. */
  readonly proof: string
}

/** Where a proof can be published. One place is enough. */
export interface Places {
  /** Name of a TXT record. */
  readonly dnsName: string
  readonly fileUrl: string
}

const path = '/.well-known/linnet-verification'
const timeoutMs = 4_000

/** A text that nobody can guess, and that need not be kept secret. */
export function makeProof(): string {
  return `linnet-verification=${randomBytes(24).toString('base64url')}`
}

export function placesOf({ host }: Pick<Claimed, 'host'>): Places {
  return { dnsName: `_linnet.${host}`, fileUrl: `http://${host}${path}` }
}

/**
 * Whether the current owner of the host publishes the proof, in its DNS or in a file on its own web server. Linnet
 * never serves that file: otherwise anybody could verify a host that already points to Linnet.
 */
export async function isProven(claimed: Claimed, context: Context): Promise<boolean> {
  const found = await Promise.all([
    isInDns(claimed, context),
    isInFile('https', claimed, context),
    isInFile('http', claimed, context),
  ])
  return found.includes(true)
}

async function isInDns({ host, proof }: Claimed, { unstable, log }: Context): Promise<boolean> {
  try {
    const records = await unstable.resolveTxt(placesOf({ host }).dnsName)
    return records.some(record => record.trim() === proof)
  } catch (error) {
    log.info('A name server did not answer for a domain', { host, error })
    return false
  }
}

/** A redirect counts only if it stays on the host, because any other server could answer what it likes. */
async function isInFile(
  scheme: 'http' | 'https',
  { host, proof }: Claimed,
  { fetch, log }: Context,
): Promise<boolean> {
  try {
    const { status, url, body, isWhole } = await fetch(`${scheme}://${host}${path}`, {
      headers: { 'user-agent': 'Linnet' },
      maxBytes: 1_024,
      timeoutMs,
    })
    const { hostname, port, pathname } = new URL(url)
    const isOwn = hostname === host && port === '' && pathname === path
    const text = Buffer.from(body).toString('utf8').trim()
    return status === 200 && isOwn && isWhole && text === proof
  } catch (error) {
    log.info('A web server did not answer for a domain', { host, scheme, error })
    return false
  }
}
