import { isIP } from 'node:net'
import { domainToUnicode } from 'node:url'
import ipaddr from 'ipaddr.js'

/** What makes an address look like another one, as the end of "The address is …"; maybe nothing. */
export function lookAlike({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return isOnInternet(host) ? 'an IP address instead of a name' : undefined
  const labels = host.split('.')
  const tld = labels.at(-1) ?? ''
  const wrong = labels.some(label => label.startsWith('xn--') && deceives(label, tld))
  return wrong ? 'spelled with letters that look like others' : undefined
}

/** Addresses of a private network are a self-hoster's own; the internet goes by names. */
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

/** These are written together, and with Latin: UTS 39, 5.2, "Highly Restrictive". */
const eastAsian =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u

/** Cyrillic letters that look like Latin ones, as Chromium has them. */
const latinLooking = /^[асԁеһіјӏорԛѕԝхуъьҽпгѵѡ\d-]+$/u

/** Letters of several scripts in one label, or a whole label of Cyrillic that reads as Latin. */
function deceives(label: string, tld: string): boolean {
  const shown = domainToUnicode(label)
  const used = scripts.filter(script => script.test(shown))
  const isMixed = used.length > (eastAsian.test(shown) && !used.includes(latin) ? 0 : 1)
  const isPosing = latinLooking.test(shown) && !/\p{Script=Cyrillic}/u.test(domainToUnicode(tld))
  return isMixed || isPosing
}
