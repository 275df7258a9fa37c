import { isbot } from 'isbot'
import UAParser from 'ua-parser-js'
import type { Agent } from '../plugin.ts'
import { remember } from '../remember.ts'

/**
 * Programs that a person types at a terminal. isbot takes them for robots, and indeed scripts use them
 * as well; but who tries a short link with curl is a visitor, and a counter that stays at zero then
 * looks broken. Libraries, crawlers and the fetchers of link previews stay robots.
 */
const terminalProgram = /^(curl|Wget|HTTPie)\//

/** What a user agent says of itself, worked out once for the strings seen lately. */
export const readAgent: (userAgent: string) => Agent = remember(parseAgent)

function parseAgent(userAgent: string): Agent {
  const terminal = terminalProgram.exec(userAgent)?.[1]
  const parser = new UAParser(userAgent)
  const os = parser.getOS().name
  return {
    browser: terminal ?? parser.getBrowser().name,
    os,
    device: deviceOf(parser.getDevice().type, os),
    bot: terminal === undefined && isbot(userAgent),
  }
}

/** A desktop is what names its operating system and no type of device. */
function deviceOf(type: string | undefined, os: string | undefined): Agent['device'] {
  if (type === 'mobile' || type === 'tablet') return type
  if (type !== undefined) return 'other'
  return os === undefined ? undefined : 'desktop'
}
