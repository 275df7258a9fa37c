import { isbot } from 'isbot'
import UAParser from 'ua-parser-js'
import { remember } from './memory/remember.ts'

/** Browser and device, read from the user agent; undefined where it does not name them. */
export interface Agent {
  readonly browser: string | undefined
  readonly os: string | undefined
  readonly device: 'desktop' | 'mobile' | 'tablet' | 'other' | undefined
  readonly bot: boolean
}

/**
 * Programs used by people that isbot takes for robots. Scripts use curl as well; but somebody who tries a short link
 * with it is a visitor, and a counter that stays at zero would look broken. Libraries, crawlers and the fetchers of
 * link previews stay robots.
 */
const personsProgram = /^(curl|Wget|HTTPie|Dillo|NetSurf)\//

/**
 * What says nothing of robots although isbot reacts to its words: the model of an Android device, such as
 * `Google TV Streamer`, and the device as apps of Meta describe it, such as `(36/16; 420dpi; 1080x2424; Google; Pixel 10)`;
 * what WeChat on Android adds; and the browsers of Sogou, which has a crawler too.
 */
const misleading =
  /(?<=\bAndroid [\d.]+; )[^;)]+|(?<=\bAndroid )\(\d+\/[^)]*|\[FB(?:AN|_IAB)\/[^\]]*| Process\/tools\w*|\bSogou(?:MobileBrowser|MSE)\S*/g

/**
 * Robots that isbot takes for people. Office requests a link before it passes it to a browser, which then requests it
 * as well. An app on Apple's systems that fetches a preview by itself is not a browser: the user agents of browsers
 * begin with `Mozilla`. AgentNovaAct is a browser that Amazon's model drives.
 */
const fetcher = /\bms-office\b|^Microsoft Office\/|^(?!Mozilla\/).*\bCFNetwork\/|\bAgentNovaAct\//

/** Names of robots that isbot only knows as the first word, though some stand behind the name of a browser. */
const behindBrowser =
  /\b(slurp|heritrix|scrapy|puppeteer|lighthouse|facebookexternalhit|python-requests|axios)\b/i

const remembered = remember(parseAgent)

/**
 * Reads a user agent, as all counts have it.
 *
 * @example
 * readAgent('curl/8.14.1').browser // curl
 */
export function readAgent(userAgent: string): Agent {
  return remembered(userAgent)
}

function parseAgent(userAgent: string): Agent {
  const program = personsProgram.exec(userAgent)?.[1]
  const parser = new UAParser(userAgent)
  const browser = program ?? browserIn(userAgent) ?? knownName(parser.getBrowser().name)
  const os = knownName(parser.getOS().name)
  const { type, vendor } = parser.getDevice()
  // Android says `Mobile` only on phones, but the library reads that correctly only right before `Safari`.
  const isNamelessPhone = type === 'tablet' && !vendor && /\bMobile\b/.test(userAgent)
  return Object.freeze({
    browser,
    os,
    device: television.test(userAgent) ? 'other' : isNamelessPhone ? 'mobile' : deviceOf(type, os),
    bot: program === undefined && isRobot(userAgent, browser),
  })
}

/** What is compatible with browsers and is none of them is a robot, whatever its name. */
function isRobot(userAgent: string, browser: string | undefined): boolean {
  return (
    fetcher.test(userAgent) ||
    behindBrowser.test(userAgent) ||
    (browser === undefined && userAgent.includes('compatible;')) ||
    isbot(userAgent.replace(misleading, ''))
  )
}

/** Televisions on Android that do not say so, and would be tablets, because they are no phones. */
const television = /\bAndroid\b.+\b(Chromecast|Google TV|MiTV|MIBOX)/

/** Systems that no desktop has: Opera Mini, for one, names them without a type of device. */
const phoneSystem = /^(Android|iOS|KAIOS|Symbian|Tizen|Windows (Phone|Mobile))/

/** A desktop names an operating system that no phone has, and no type of device. */
function deviceOf(type: string | undefined, os: string | undefined): Agent['device'] {
  if (type === 'mobile' || type === 'tablet') return type
  if (type !== undefined) return 'other'
  if (os === undefined) return undefined
  return phoneSystem.test(os) ? 'mobile' : 'desktop'
}

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
function browserIn(userAgent: string): string | undefined {
  if (!anyOfThem.test(userAgent)) return undefined
  return browsers.find(([word]) => word.test(userAgent))?.[1]
}

/** The usual form of a name, however a user agent spells it. */
function knownName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  return renamed[name] ?? spellings.get(name.toLowerCase()) ?? name
}
