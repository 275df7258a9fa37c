import { isbot } from 'isbot'
import UAParser from 'ua-parser-js'
import { remember } from '../../lib/memory/remember.ts'
import type { Agent } from '../../plugin.ts'
import { browserIn, knownName } from './agent-names.ts'

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

/** Reads a user agent; the results of recent strings are remembered. */
export const readAgent: (userAgent: string) => Agent = remember(parseAgent)

function parseAgent(userAgent: string): Agent {
  const program = personsProgram.exec(userAgent)?.[1]
  const parser = new UAParser(userAgent)
  const browser = program ?? browserIn(userAgent) ?? knownName(parser.getBrowser().name)
  const os = knownName(parser.getOS().name)
  const { type, vendor } = parser.getDevice()
  // Android says `Mobile` only on phones, but the library reads that correctly only right before `Safari`.
  const isNamelessPhone = type === 'tablet' && !vendor && /\bMobile\b/.test(userAgent)
  return {
    browser,
    os,
    device: television.test(userAgent) ? 'other' : isNamelessPhone ? 'mobile' : deviceOf(type, os),
    bot: program === undefined && isRobot(userAgent, browser),
  }
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
