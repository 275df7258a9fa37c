import { isbot } from 'isbot'
import UAParser from 'ua-parser-js'
import { remember } from '../../lib/memory/remember.ts'
import type { Agent } from '../../plugin.ts'
import { browserIn, knownName } from './agent-names.ts'

/**
 * Programs of people that isbot takes for robots. Scripts use curl as well; but who tries a short link
 * with it is a visitor, and a counter that stays at zero then looks broken. Libraries, crawlers and the
 * fetchers of link previews stay robots.
 */
const personsProgram = /^(curl|Wget|HTTPie|Dillo|NetSurf)\//

/** What WeChat on Android adds, where isbot sees the word `tools`. */
const misleading = / Process\/tools\w*/

/**
 * Robots that isbot takes for people. Office asks for a link before it hands it to a browser, which then
 * comes as well; and an app on Apple's systems that fetches by itself, for a preview, is no browser:
 * those begin with `Mozilla`.
 */
const fetcher = /\bms-office\b|^Microsoft Office\/|^(?!Mozilla\/).*\bCFNetwork\//

/** What a user agent says of itself, worked out once for the strings seen lately. */
export const readAgent: (userAgent: string) => Agent = remember(parseAgent)

function parseAgent(userAgent: string): Agent {
  const program = personsProgram.exec(userAgent)?.[1]
  const parser = new UAParser(userAgent)
  const os = knownName(parser.getOS().name)
  const { type, vendor } = parser.getDevice()
  // Android says `Mobile` on phones alone, but the library reads that right before `Safari` only.
  const isNamelessPhone = type === 'tablet' && !vendor && /\bMobile\b/.test(userAgent)
  return {
    browser: program ?? browserIn(userAgent) ?? knownName(parser.getBrowser().name),
    os,
    device: isNamelessPhone ? 'mobile' : deviceOf(type, os),
    bot: program === undefined && isRobot(userAgent),
  }
}

function isRobot(userAgent: string): boolean {
  return fetcher.test(userAgent) || isbot(userAgent.replace(misleading, ''))
}

/** Systems that are on no desktop: Opera Mini, for one, names them without a type of device. */
const phoneSystem = /^(Android|iOS|KAIOS|Symbian|Tizen|Windows (Phone|Mobile))/

/** A desktop is what names its operating system, none of phones, and no type of device. */
function deviceOf(type: string | undefined, os: string | undefined): Agent['device'] {
  if (type === 'mobile' || type === 'tablet') return type
  if (type !== undefined) return 'other'
  if (os === undefined) return undefined
  return phoneSystem.test(os) ? 'mobile' : 'desktop'
}
