/** 0 if the text is not an address. */
export type IpFamily = 0 | 4 | 6

const [dot, zero, colon] = [46, 48, 58]

/**
 * Reads an address into four words of 32 bits, without allocating anything; an IPv4 address fills the last
 * word. An IPv6 address that maps an IPv4 one (RFC 4291, section 2.5.5.2) counts as IPv4; a zone is skipped.
 * What `net.isIP` refuses is refused, such as `127.1` and `0x7f000001`.
 */
export function readIp(text: string, words: Uint32Array): IpFamily {
  if (!text.includes(':')) {
    const address = readIpv4(text, 0, text.length)
    if (address === -1) return 0
    return writeIpv4(address, words)
  }
  if (!readIpv6(text, endOfAddress(text))) return 0
  for (let word = 0; word < 4; word += 1) {
    words[word] = ((groups[word * 2] ?? 0) << 16) | (groups[word * 2 + 1] ?? 0)
  }
  const isMapped = words[0] === 0 && words[1] === 0 && words[2] === 0xffff
  return isMapped ? writeIpv4(words[3] ?? 0, words) : 6
}

function writeIpv4(address: number, words: Uint32Array): IpFamily {
  words.fill(0, 0, 3)
  words[3] = address
  return 4
}

/** Four decimal parts without leading zeros; -1 for anything else. */
function readIpv4(text: string, from: number, end: number): number {
  let address = 0
  let parts = 0
  let at = from
  while (at < end) {
    const start = at
    let part = 0
    for (; at < end && at - start < 4; at += 1) {
      const digit = text.charCodeAt(at) - zero
      if (digit < 0 || digit > 9) break
      part = part * 10 + digit
    }
    const digits = at - start
    if (digits === 0 || part > 255 || (digits > 1 && text.charCodeAt(start) === zero)) return -1
    address = address * 256 + part
    parts += 1
    if (at === end) break
    if (parts === 4 || text.charCodeAt(at) !== dot) return -1
    at += 1
    if (at === end) return -1
  }
  return parts === 4 ? address : -1
}

/** The eight parts of the address that was read last. */
const groups = new Uint16Array(8)

/** RFC 4291, section 2.2: eight parts, where `::` stands for those that are zero. */
function readIpv6(text: string, end: number): boolean {
  let count = 0
  let gap = -1
  let at = 0
  if (text.charCodeAt(0) === colon) {
    if (text.charCodeAt(1) !== colon) return false
    gap = 0
    at = 2
  }
  while (at < end) {
    if (count === 8) return false
    const start = at
    let group = 0
    for (; at < end && at - start < 5; at += 1) {
      const digit = hexDigit(text.charCodeAt(at))
      if (digit === -1) break
      group = group * 16 + digit
    }
    if (at < end && text.charCodeAt(at) === dot) {
      const address = count > 6 ? -1 : readIpv4(text, start, end)
      if (address === -1) return false
      groups[count++] = address / 65_536
      groups[count++] = address % 65_536
      break
    }
    if (at === start || at - start > 4) return false
    groups[count++] = group
    if (at === end) break
    if (text.charCodeAt(at) !== colon) return false
    at += 1
    if (at === end) return false
    if (text.charCodeAt(at) === colon) {
      if (gap !== -1) return false
      gap = count
      at += 1
    }
  }
  if (gap === -1) return count === 8
  if (count === 8) return false
  groups.copyWithin(8 - (count - gap), gap, count)
  groups.fill(0, gap, 8 - (count - gap))
  return true
}

/** `fe80::1%eth0` ends before its zone. */
function endOfAddress(text: string): number {
  const zone = text.indexOf('%')
  return zone === -1 || zone === text.length - 1 ? text.length : zone
}

function hexDigit(code: number): number {
  if (code >= zero && code <= 57) return code - zero
  const letter = code | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : -1
}

/** The same address, or the IPv4 address that it maps, such as `192.0.2.7`. */
export function withoutMapping(address: string): string {
  if (!address.includes(':') || readIp(address, own) !== 4) return address
  return writeIp(4, own)
}

/** The text of an address that was read. */
function writeIp(family: IpFamily, words: Uint32Array): string {
  if (family === 4) {
    const bits = words[3] ?? 0
    return [bits >>> 24, (bits >>> 16) & 255, (bits >>> 8) & 255, bits & 255].join('.')
  }
  const groups = Array.from(
    words,
    word => `${(word >>> 16).toString(16)}:${(word & 0xffff).toString(16)}`,
  )
  return groups.join(':')
}

const own = new Uint32Array(4)

/** A network: the first bits of its addresses. */
export interface Network {
  readonly family: IpFamily
  readonly words: Uint32Array
  readonly masks: Uint32Array
}

/** Reads an address or a CIDR, such as `10.0.0.0/8`; undefined for anything else. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', bits, ...more] = text.split('/')
  const words = new Uint32Array(4)
  const family = readIp(address, words)
  if (family === 0 || more.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) {
    return undefined
  }
  const all = family === 4 ? 32 : 128
  const prefix = bits === undefined ? all : Number(bits)
  if (prefix > all) return undefined
  const masks = maskOf(prefix + 128 - all)
  return { family, words: words.map((word, index) => word & (masks[index] ?? 0)), masks }
}

/** The first of 128 bits, as words. */
function maskOf(bits: number): Uint32Array {
  return new Uint32Array(4).map((_, word) => {
    const ones = Math.min(Math.max(bits - word * 32, 0), 32)
    return ones === 0 ? 0 : -1 << (32 - ones)
  })
}

/** The networks of these CIDRs; throws if one is not valid. */
export function networks(...cidrs: readonly string[]): readonly Network[] {
  return cidrs.map(cidr => {
    const network = parseNetwork(cidr)
    if (network === undefined) throw new TypeError(`${cidr} is not a network`)
    return network
  })
}

/** Returns a function that tells whether an address, as text, is in any of the networks. Other text is in none. */
export function inNetworks(networks: readonly Network[]): (text: string) => boolean {
  const words = new Uint32Array(4)
  const isWithin = within(networks)
  return text => {
    const family = readIp(text, words)
    return family !== 0 && isWithin(family, words)
  }
}

/**
 * The same for an address read by `readIp`. Networks are sorted by first byte: most first bytes are in none of
 * them.
 */
export function within(
  networks: readonly Network[],
): (family: IpFamily, words: Uint32Array) => boolean {
  const byFirstByte = Array.from({ length: 256 }, (_, byte) =>
    networks.filter(network => mayBeginWith(network, byte)),
  )
  return (family, words) => {
    const first = (words[firstWord(family)] ?? 0) >>> 24
    for (const network of byFirstByte[first] ?? []) {
      if (holds(network, family, words)) return true
    }
    return false
  }
}

function mayBeginWith({ family, words, masks }: Network, byte: number): boolean {
  const word = firstWord(family)
  const mask = (masks[word] ?? 0) >>> 24
  return (byte & mask) === (words[word] ?? 0) >>> 24
}

function firstWord(family: IpFamily): number {
  return family === 4 ? 3 : 0
}

function holds(network: Network, family: IpFamily, words: Uint32Array): boolean {
  return (
    network.family === family &&
    isSame(network, words, 3) &&
    isSame(network, words, 2) &&
    isSame(network, words, 1) &&
    isSame(network, words, 0)
  )
}

function isSame({ words, masks }: Network, address: Uint32Array, word: number): boolean {
  return ((address[word] ?? 0) & (masks[word] ?? 0)) >>> 0 === words[word]
}
