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

/** What WeChat on Android adds; isbot would react to the word `tools`. */
const misleading = / Process\/tools\w*/

/**
 * Robots that isbot takes for people. Office requests a link before it passes it to a browser, which then requests it
 * as well. An app on Apple's systems that fetches a preview by itself is not a browser: the user agents of browsers
 * begin with `Mozilla`.
 */
const fetcher = /\bms-office\b|^Microsoft Office\/|^(?!Mozilla\/).*\bCFNetwork\//

/** Reads a user agent; the results of recent strings are remembered. */
export const readAgent: (userAgent: string) => Agent = remember(parseAgent)

function parseAgent(userAgent: string): Agent {
  const program = personsProgram.exec(userAgent)?.[1]
  const parser = new UAParser(userAgent)
  const os = knownName(parser.getOS().name)
  const { type, vendor } = parser.getDevice()
  // Android says `Mobile` only on phones, but the library reads that correctly only right before `Safari`.
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

/** Systems that no desktop has: Opera Mini, for one, names them without a type of device. */
const phoneSystem = /^(Android|iOS|KAIOS|Symbian|Tizen|Windows (Phone|Mobile))/

/** A desktop names an operating system that no phone has, and no type of device. */
function deviceOf(type: string | undefined, os: string | undefined): Agent['device'] {
  if (type === 'mobile' || type === 'tablet') return type
  if (type !== undefined) return 'other'
  if (os === undefined) return undefined
  return phoneSystem.test(os) ? 'mobile' : 'desktop'
}
