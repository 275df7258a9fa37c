import { chance, oneOf } from './chance.mjs'

/**
 * The visitors of the benchmark, who come through a proxy: 20,000 addresses, 15 % of them IPv6, 920 user
 * agents, 20 languages, 60 referers. A value seen for the first time costs more than a repeated one, so these
 * numbers matter as much as the number of requests.
 */
const visitorCount = 20_000
const ipv6Part = 0.15
/** The other visitors typed the address, or their browser sends no referer. */
const refererPart = 0.6

const platforms = [
  'Windows NT 10.0; Win64; x64',
  'Macintosh; Intel Mac OS X 10_15_7',
  'X11; Linux x86_64',
  'Linux; Android 14; Pixel 8',
  'Linux; Android 13; SM-S911B',
  'Linux; Android 15; SM-X910',
]
const appleDevices = ['iPhone; CPU iPhone OS', 'iPad; CPU OS']
const languages = [
  ...['en-US', 'en-GB', 'de', 'fr', 'es', 'pt-BR', 'it', 'nl', 'pl', 'ja'],
  ...['ko', 'zh-CN', 'zh-TW', 'sv', 'da', 'nb', 'fi', 'cs', 'tr', 'uk'],
]
const ipv6Networks = ['2a02:8070', '2001:4860', '2600:1700', '2804:14c', '2409:4042', '2a01:cb00']
/** Address blocks that are in use on the Internet and contain no private address. */
const ipv4Blocks = [...range(1, 9), ...range(11, 99), ...range(128, 168), ...range(193, 202)]

const userAgents = [
  ...platforms.flatMap(platform => range(66, 140).map(version => chrome(platform, version))),
  ...platforms.flatMap(platform => range(66, 140).map(version => firefox(platform, version))),
  ...appleDevices.flatMap(device => range(9, 18).map(version => safari(device, version))),
]
const referers = range(1, 20).flatMap(site =>
  ['', 'news/today', 'search?q=short'].map(page => `https://site-${site}.example.com/${page}`),
)

/** The headers of `count` visits by random visitors; the same in each run. */
export function visitHeaders(count) {
  const random = chance(3)
  const visitors = Array.from({ length: visitorCount }, () => visitor(random))
  return Array.from({ length: count }, () => ({
    ...oneOf(visitors, random),
    ...(random() < refererPart && { referer: oneOf(referers, random) }),
  }))
}

function visitor(random) {
  return {
    'x-forwarded-for': random() < ipv6Part ? ipv6(random) : ipv4(random),
    'x-forwarded-proto': 'https',
    'user-agent': oneOf(userAgents, random),
    'accept-language': `${oneOf(languages, random)},en;q=0.5`,
    accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  }
}

function ipv4(random) {
  const byte = () => Math.floor(random() * 256)
  return [oneOf(ipv4Blocks, random), byte(), byte(), byte()].join('.')
}

function ipv6(random) {
  const part = () => Math.floor(random() * 65_536).toString(16)
  return [oneOf(ipv6Networks, random), part(), part(), part(), part(), part(), part()].join(':')
}

function chrome(platform, version) {
  return `Mozilla/5.0 (${platform}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`
}

function firefox(platform, version) {
  return `Mozilla/5.0 (${platform}; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`
}

function safari(device, version) {
  return `Mozilla/5.0 (${device} ${version}_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version}.2 Mobile/15E148 Safari/604.1`
}

function range(first, last) {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
