import { asWindows1252 } from './windows-1252.ts'

/** HTML's entity names for U+00A0 to U+00FF, in order. */
const latin1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 ' +
  'sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc ' +
  'Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve ' +
  'Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute ' +
  'acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ' +
  'ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'

/** Of the two thousand other entities, those that occur in titles. */
const others: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  lsaquo: '‹',
  rsaquo: '›',
  hellip: '…',
  bull: '•',
  euro: '€',
  trade: '™',
  rarr: '→',
  larr: '←',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
}

const named = new Map([
  ...latin1.split(' ').map((name, index) => [name, String.fromCodePoint(0xa0 + index)] as const),
  ...Object.entries(others),
])

/** Replaces character references. Unknown ones stay as they are. */
export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,8}));/gi,
    (whole, hex, decimal, name) => {
      if (name !== undefined) return named.get(name) ?? whole
      return characterAt(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
    },
  )
}

function characterAt(code: number): string {
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return isCharacter ? asWindows1252(String.fromCodePoint(code)) : '\ufffd'
}
