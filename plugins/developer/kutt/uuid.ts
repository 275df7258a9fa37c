/**
 * Clients of Kutt take an id for one only if it is a UUID. So the characters of a public id stand in one of version 8, which is
 * for what programs put there (RFC 9562): nothing is stored, and each leads to the other.
 */
export function uuidOf(publicId: string): string {
  const coded = publicId.slice(kindLength)
  const payload = Buffer.from(coded, 'latin1').toString('hex').padEnd(payloadLength, '0')
  const hex = `${payload.slice(0, 12)}8${payload.slice(12, 15)}8${payload.slice(15)}`
  const at = [0, 8, 12, 16, 20, 32]
  return at
    .slice(1)
    .map((end, index) => hex.slice(at[index], end))
    .join('-')
}

/** The public id in a UUID; undefined in others. */
export function publicIdIn(kind: string, uuid: string): string | undefined {
  const [, first, second, third, fourth, fifth] =
    /^([\da-f]{8})-([\da-f]{4})-8([\da-f]{3})-8([\da-f]{3})-([\da-f]{12})$/i.exec(uuid) ?? []
  if (first === undefined) return undefined
  const payload = `${first}${second}${third}${fourth}${fifth}`
  const coded = Buffer.from(payload, 'hex').toString('latin1').replace(/\0+$/, '')
  return /^[\dA-Za-z]{8,15}$/.test(coded) ? `${kind}_${coded}` : undefined
}

/** Such as `lnk_`. */
const kindLength = 4
/** Hexadecimal digits of a UUID without those of its version and variant. */
const payloadLength = 30
