import { type CheckedUrl, checkWebAddress, problem } from '../web-address.ts'

/** The hosts under which we answer ourselves, each with its port if that is not the usual one. */
export interface OwnHosts {
  has(host: string): boolean
}

/** A web address that does not lead back to `ownHosts`, that is to us, in a loop. */
export function checkOriginalUrl(text: string, ownHosts: OwnHosts): CheckedUrl {
  const address = checkWebAddress(text)
  if ('problem' in address || !ownHosts.has(new URL(address.href).host)) return address
  return problem('leads back to this link shortener')
}
