import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { z } from '../../../core/plugin.ts'

/** Leaves room for the prefix in the name of the TXT record: RFC 1035, section 2.3.4. */
const maxLength = 253 - '_linnet.'.length

const labelPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Returns a host name as browsers write it: in lower case and punycode, without a dot at the end. Undefined for
 * anything else, such as an IP address, a host with a port, or a name that cannot exist on the internet.
 */
export function readHost(text: string): string | undefined {
  // Characters that end the host in a URL, or escape another character there.
  if (/[\s/\\:?#@%[\]]/.test(text)) return undefined
  const host = domainToASCII(text).replace(/\.$/, '')
  const labels = host.split('.')
  const isName = labels.length > 1 && labels.every(label => labelPattern.test(label))
  // Browsers take a name that ends in a number for an IPv4 address.
  const endsInNumber = /^(?:\d+|0x[\da-f]*)$/.test(labels.at(-1) ?? '')
  return isName && !endsInNumber && isIP(host) === 0 && host.length <= maxLength ? host : undefined
}

/** A host as a request gives it. */
export const hostSchema = z
  .string()
  .min(1)
  .max(1_000)
  .transform((text, context) => {
    const host = readHost(text)
    if (host !== undefined) return host
    context.addIssue({
      code: 'custom',
      message:
        'Must be a host only, such as links.example.org, without scheme, port or path, and not an IP address.',
    })
    return z.NEVER
  })
  .meta({ description: 'Your host, without scheme, port and path.' })
