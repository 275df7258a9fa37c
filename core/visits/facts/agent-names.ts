/**
 * What ua-parser-js 1 does not know, for it is no longer added to: browsers that it takes for what they are made of,
 * by a word of theirs.
 */
const browsers: readonly (readonly [word: RegExp, name: string])[] = [
  [/\bLadybird\//, 'Ladybird'],
  [/\bEcosia(Ios|Android)\b|\(Ecosia /, 'Ecosia'],
  [/\bqutebrowser\//, 'qutebrowser'],
  [/\bNorton\//, 'Norton Private Browser'],
  [/\bTelegram-Android\//, 'Telegram'],
  [/\bBarcelona \d/, 'Threads'],
  [/\[Pinterest\//, 'Pinterest'],
  [/\bDdg\//, 'DuckDuckGo'],
]

/** Whether any of them may be there: most user agents are asked no more than this. */
const anyOfThem = new RegExp(browsers.map(([word]) => word.source).join('|'))

/** Names that say nothing to people, or said it before. */
const renamed: Readonly<Record<string, string>> = {
  GSA: 'Google App',
  'Chromium OS': 'Chrome OS',
  // As HarmonyOS calls itself since its version 5.
  OpenHarmony: 'HarmonyOS',
}

/** Those that are taken from a user agent as it spells them. */
const spellings = new Map(
  [
    ...['Chrome', 'Chromium', 'Firefox', 'Safari', 'Mobile Safari', 'Opera', 'Edge', 'Vivaldi'],
    ...[
      'Brave',
      'DuckDuckGo',
      'Whale',
      'Quark',
      'Puffin',
      'Silk',
      'Epiphany',
      'Falkon',
      'Konqueror',
    ],
    ...['SeaMonkey', 'Waterfox', 'LibreWolf', 'PaleMoon', 'Basilisk', 'Iceweasel', 'Lynx', 'Links'],
    ...['Dillo', 'NetSurf', 'w3m', 'iCab', 'Snapchat', 'LinkedIn', 'Instagram', 'TikTok', 'weibo'],
    ...[
      'Windows',
      'Linux',
      'Ubuntu',
      'Debian',
      'Fedora',
      'FreeBSD',
      'OpenBSD',
      'NetBSD',
      'Android',
    ],
    ...['iOS', 'Mac OS', 'Tizen', 'webOS', 'KAIOS', 'Fuchsia', 'PlayStation', 'Nintendo', 'Xbox'],
  ].map(name => [name.toLowerCase(), name]),
)

/** The browser by its own word, where it has one that is known here. */
export function browserIn(userAgent: string): string | undefined {
  if (!anyOfThem.test(userAgent)) return undefined
  return browsers.find(([word]) => word.test(userAgent))?.[1]
}

/** A name as people know it, however a user agent spells it. */
export function knownName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  return renamed[name] ?? spellings.get(name.toLowerCase()) ?? name
}
