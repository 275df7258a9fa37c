import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  hasScheme,
  isWebAddress,
  parseTargetSchemes,
} from '../../../../core/lib/net/target-schemes.ts'
import { checkAddress, isSafeToFollow } from '../../../../core/lib/net/web-address.ts'
import { isNight } from '../../../at-night.ts'

const dangerous = ['javascript', 'data', 'file', 'vbscript', 'blob', 'about', 'view-source']

describe('schemes that an operator allows', () => {
  it.each([
    ['none', []],
    ['mailto', ['mailto']],
    ['mailto,tel, SMS ,mailto', ['mailto', 'tel', 'sms']],
    ['org.example.app,web+music,ftp', ['org.example.app', 'web+music', 'ftp']],
  ])('%j are %j', (text, schemes) => expect(parseTargetSchemes(text)).toEqual(schemes))

  const noScheme = (it: string) =>
    `${JSON.stringify(it)} is not a scheme. Enter schemes without a colon, separated by commas, such as mailto,tel,myapp, or none.`
  const never = (it: string) =>
    `"${it}" cannot be allowed, because browsers run or open what follows it. Leave it out.`
  it.each([
    ['mailto:', noScheme('mailto:')],
    ['myapp://', noScheme('myapp://')],
    ['mailto tel', noScheme('mailto tel')],
    ['mailto,,tel', noScheme('')],
    ['mailto,none', noScheme('none')],
    ['1password', noScheme('1password')],
    ['*', noScheme('*')],
    ['ſms', noScheme('ſms')],
    ['a'.repeat(65), noScheme('a'.repeat(65))],
    ['https', '"https" is always allowed. Enter only schemes besides http and https.'],
    ['mailto,HTTP', '"http" is always allowed. Enter only schemes besides http and https.'],
    ...dangerous.map((it): [string, string] => [`mailto,${it.toUpperCase()}`, never(it)]),
    ['chrome-extension', never('chrome-extension')],
    ['moz-icon', never('moz-icon')],
    ['search-ms', never('search-ms')],
  ])('%j gets a sentence', (text, sentence) => {
    expect(parseTargetSchemes(text)).toBe(sentence)
  })

  it('are all that some address may have, but for what no operator can allow', () => {
    expect(hasScheme('mailto:a', 'any')).toBe(true)
    expect(hasScheme('mailto:a', ['tel'])).toBe(false)
    expect(hasScheme('https://a/', [])).toBe(true)
    for (const it of dangerous) {
      expect(hasScheme(`${it}:a`, 'any')).toBe(false)
      expect(hasScheme(`${it}:a`, [it])).toBe(false)
    }
    expect(isWebAddress('httpsx://example.com')).toBe(false)
  })
})

/** A scheme in any case, perhaps with what parsers skip, or letters that become others in capitals. */
const schemeText = fc
  .tuple(
    fc.constantFrom(...dangerous, 'mailto', 'tel', 'myapp', 'https', 'http', 'ftp', 'ws', 'intent'),
    fc.array(
      fc.tuple(
        fc.nat(12),
        fc.constantFrom(
          '\t',
          '\n',
          '\r',
          '\0',
          ' ',
          '\u00a0',
          '\u00ad',
          '\u200b',
          '\ufeff',
          '%0a',
          '%',
          '&#9;',
          '\\',
        ),
      ),
      { maxLength: 2 },
    ),
    fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
  )
  .map(([name, put, capitals]) => {
    const cased = [...name].map((it, at) => (capitals[at % 12] ? it.toUpperCase() : it))
    for (const [at, what] of put) cased.splice(at, 0, what)
    return cased.join('')
  })

const address = fc
  .tuple(
    fc.constantFrom(
      '',
      '',
      '',
      ' ',
      '\0',
      '\u001f',
      '\u3000',
      'x',
      'url:',
      '//',
      'https://a/',
      '\u2028',
    ),
    schemeText,
    fc.constantFrom(':', ':', ':', '://', ':///', '%3a', '：', '\t:', ':\n', ''),
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.webUrl(),
      fc.constantFrom('alert(1)', 'a@b.org?subject=c d', '..//', '[::1]/', 'a%zz', 'me:pw@h/'),
    ),
  )
  .map(parts => parts.join(''))

const lists = fc.subarray([
  'mailto',
  'tel',
  'myapp',
  'ftp',
  'ws',
  'intent',
  'x',
  'url',
  ...dangerous,
])

/** What a browser makes of a `Location`: it cuts ends and takes out line breaks before it looks for the scheme. */
function asBrowsersRead(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what browsers take out
  return text.replace(/[\u0000-\u0020\u007f-\u00a0\u00ad\u200b\ufeff]/g, '').toLowerCase()
}

describe('an address that is accepted', () => {
  it('has a scheme that is allowed, whoever reads it', () => {
    let accepted = 0
    fc.assert(
      fc.property(address, fc.oneof(lists, fc.constant('any' as const)), (text, more) => {
        const checked = checkAddress(text, more)
        if ('problem' in checked) return
        accepted += 1
        const { href } = checked
        expect(href).toMatch(/^[!-~]+$/)
        const { protocol } = new URL(href)
        const own = protocol.slice(0, -1)
        expect(href.startsWith(protocol)).toBe(true)
        if (more !== 'any') expect(['http', 'https', ...more]).toContain(own)
        for (const it of dangerous) {
          expect(own).not.toBe(it)
          expect(asBrowsersRead(href).startsWith(`${it}:`)).toBe(false)
          expect(asBrowsersRead(text).startsWith(`${it}:`)).toBe(false)
        }
        // It is followed as it was saved, and saved again as it is.
        expect(isSafeToFollow(href, more)).toBe(true)
        expect(checkAddress(href, more)).toEqual(checked)
      }),
      // Few of them are accepted.
      { numRuns: isNight ? 50_000 : 5_000 },
    )
    expect(accepted).toBeGreaterThan(200)
  })
})
