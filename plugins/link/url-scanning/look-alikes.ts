import { isIP } from 'node:net'
import { domainToUnicode } from 'node:url'
import ipaddr from 'ipaddr.js'

/** Returns what makes a URL deceptive, as the end of "This URL is …"; undefined if nothing does. */
export function lookAlike({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return isOnInternet(host) ? 'an IP address instead of a name' : undefined
  const labels = host.split('.')
  const tld = labels.at(-1) ?? ''
  const wrong = labels.some(label => label.startsWith('xn--') && deceives(label, tld))
  return wrong ? 'spelled with letters that look like others' : undefined
}

/** IP addresses of a private network are the self-hoster's own and allowed. On the internet, sites have names. */
function isOnInternet(host: string): boolean {
  return ipaddr.process(host).range() === 'unicast'
}

const latin = /\p{Script=Latin}/u

const scripts = [
  latin,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Georgian}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Devanagari}/u,
  /\p{Script=Thai}/u,
]

/** Scripts that may be mixed with each other and with Latin: UTS 39, section 5.2, "Highly Restrictive". */
const eastAsian =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u

/** Cyrillic letters that look like Latin ones, as Chromium lists them. */
const latinLooking = /^[асԁеһіјӏорԛѕԝхуъьҽпгѵѡ\d-]+$/u

/** Whether a label mixes scripts, or consists only of Cyrillic letters that look like Latin ones. */
function deceives(label: string, tld: string): boolean {
  const shown = domainToUnicode(label)
  const used = scripts.filter(script => script.test(shown))
  const isMixed = used.length > (eastAsian.test(shown) && !used.includes(latin) ? 0 : 1)
  const isPosing = latinLooking.test(shown) && !/\p{Script=Cyrillic}/u.test(domainToUnicode(tld))
  return isMixed || isPosing
}
