const backslash = 0x5c

/** What PostgreSQL means by a letter behind a backslash. All others mean themselves. */
const escapes: Readonly<Record<string, number>> = { b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 }

/** A value as `COPY` writes it: null is `\N`, and a byte may be `\12` in octal or `\x0a`. */
export function unescapeCopied(bytes: Buffer): Buffer | null {
  const first = bytes.indexOf(backslash)
  if (first === -1) return bytes
  if (bytes.length === 2 && first === 0 && bytes[1] === 0x4e) return null
  const value = Buffer.allocUnsafe(bytes.length)
  let length = bytes.copy(value, 0, 0, first)
  for (let at = first; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte !== backslash || at + 1 === bytes.length) {
      value[length++] = byte
      continue
    }
    const behind = bytes.toString('latin1', at + 1, at + 4)
    const [octal = ''] = /^[0-7]{1,3}/.exec(behind) ?? []
    const [, hex = ''] = /^x([\da-f]{1,2})/i.exec(behind) ?? []
    if (octal !== '') value[length++] = Number.parseInt(octal, 8) & 0xff
    else if (hex !== '') value[length++] = Number.parseInt(hex, 16)
    else value[length++] = escapes[behind[0] ?? ''] ?? behind.charCodeAt(0)
    at += octal.length || (hex.length && hex.length + 1) || 1
  }
  return value.subarray(0, length)
}
