/** Who visits in the benchmark: hundreds of real browsers and languages, for parsing each costs. */

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
  'en-US',
  'en-GB',
  'de',
  'fr',
  'es',
  'pt-BR',
  'it',
  'nl',
  'pl',
  'ja',
  'ko',
  'zh-CN',
]

const userAgents = [
  ...platforms.flatMap(platform => versions(110, 140).map(version => chrome(platform, version))),
  ...platforms.flatMap(platform => versions(110, 140).map(version => firefox(platform, version))),
  ...appleDevices.flatMap(device => versions(14, 18).map(version => safari(device, version))),
]

/** As many different requests as asked for, to links taken by chance. */
export function visits(count, shortCodes) {
  return Array.from({ length: count }, () => ({
    path: `/${pick(shortCodes)}`,
    headers: {
      'user-agent': pick(userAgents),
      'accept-language': `${pick(languages)},${pick(languages)};q=0.8,en;q=0.5`,
    },
  }))
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

function versions(first, last) {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

function pick(list) {
  return list[Math.floor(Math.random() * list.length)]
}
