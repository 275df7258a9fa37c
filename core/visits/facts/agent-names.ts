/**
 * Browsers that ua-parser-js 1, which is no longer extended, takes for the engines or browsers that they are built
 * on; each is recognised by a word of its own.
 */
const browsers: readonly (readonly [word: RegExp, name: string])[] = [
  [/\bLadybird\//, 'Ladybird'],
  [/\bEcosia(Ios|Android)\b|\(Ecosia /, 'Ecosia'],
  [/\bqutebrowser\//, 'qutebrowser'],
  [/\bNorton\//, 'Norton Private Browser'],
  [/\bCCleaner\//, 'CCleaner Browser'],
  [/\bAvira\//, 'Avira Secure Browser'],
  [/\bTelegram-Android\//, 'Telegram'],
  [/\bBarcelona \d/, 'Threads'],
  [/\[Pinterest\//, 'Pinterest'],
  [/\bFBAN\/Messenger|\bFB_IAB\/Orca-Android\b/, 'Messenger'],
  [/\bReddit\/Version\b/, 'Reddit'],
  [/\btrill_\d/, 'TikTok'],
  [/\b(GSA|GoogleApp)\/\d/, 'Google App'],
  // The web engine of its televisions does not name the browser.
  [/\bTizen\b.+ TV Safari\//, 'Samsung Internet'],
  [/\bDdg\//, 'DuckDuckGo'],
]

/** Whether a user agent may contain one of these words: most are tested no further. */
const anyOfThem = new RegExp(browsers.map(([word]) => word.source).join('|'))

/** Names that mean nothing to people, or have changed. */
const renamed: Readonly<Record<string, string>> = {
  // The name since 2021 of the browser for iOS, which still calls itself OPT.
  'Opera Touch': 'Opera',
  // As the browsers of phones named Chrome and Firefox.
  'Mobile Safari': 'Safari',
  'Chromium OS': 'Chrome OS',
  // The name since version 5 of HarmonyOS.
  OpenHarmony: 'HarmonyOS',
}

/** Names that are taken from a user agent as it spells them, with their usual spelling. */
const spellings = new Map(
  [
    'Chrome, Chromium, Firefox, Safari, Opera, Edge, Vivaldi, Brave, DuckDuckGo',
    'Whale, Quark, Puffin, Silk, Epiphany, Falkon, Konqueror, SeaMonkey, Waterfox, LibreWolf',
    'PaleMoon, Basilisk, Iceweasel, Lynx, Links, Dillo, NetSurf, w3m, iCab',
    'Snapchat, LinkedIn, Instagram, TikTok, weibo',
    'Windows, Linux, Ubuntu, Debian, Fedora, FreeBSD, OpenBSD, NetBSD, Android, iOS, Mac OS',
    'Tizen, webOS, KAIOS, Fuchsia, PlayStation, Nintendo, Xbox',
  ]
    .flatMap(names => names.split(', '))
    .map(name => [name.toLowerCase(), name]),
)

/** The browser by a word of its own, if it is one of those above. */
export function browserIn(userAgent: string): string | undefined {
  if (!anyOfThem.test(userAgent)) return undefined
  return browsers.find(([word]) => word.test(userAgent))?.[1]
}

/** The usual form of a name, however a user agent spells it. */
export function knownName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  return renamed[name] ?? spellings.get(name.toLowerCase()) ?? name
}
