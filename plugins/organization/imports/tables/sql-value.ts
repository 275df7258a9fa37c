import type { Value } from './row-sink.ts'
import { type Cursor, isOver, isSign } from './sql-cursor.ts'
import type { Waiting } from './sql-tokens.ts'
import { createWrittenText, isWritten, type WrittenText } from './written-text.ts'

/** What is to be computed rather than written down: nobody does that here. */
export const computed = Symbol('computed')

/** Reads a value, and stops at the comma or bracket behind it. */
export function* readValue(cursor: Cursor, isKept: boolean): Waiting<Value | typeof computed> {
  let value: Value | typeof computed | undefined
  let prefix = ''
  let depth = 0
  let isCast = false
  let written: WrittenText | undefined
  for (;;) {
    yield* cursor.advance(isKept)
    const { token } = cursor
    if (isOver(token) || token.kind === 'end') return null
    if (depth === 0 && (isSign(token, ',') || isSign(token, ')')))
      return written?.take() ?? value ?? null
    if (isKept && token.kind === 'word' && value === undefined && isWritten(token.text))
      written = createWrittenText()
    written?.add(token)
    if (isSign(token, '(')) depth += 1
    else if (isSign(token, ')')) depth -= 1
    // What stands behind `::` is the type of the value.
    if (isSign(token, ':') && value !== undefined) isCast = true
    if (!isKept || isCast) continue
    if (token.kind === 'text' || token.kind === 'name') {
      value = value === undefined ? decoded(prefix, token.bytes) : computed
      prefix = ''
    } else if (token.kind === 'word' && value === undefined) {
      if (/^(_\w+|[xbne])$/i.test(token.text)) prefix = token.text
      else value = literal(prefix, token.text)
    } else if (isSign(token, '+') && value === undefined) continue
    else if (isSign(token, '-') && value === undefined && prefix === '') prefix = '-'
    else value = computed
  }
}

/** A value in quotes, behind what says how it is written, such as `x`. */
function decoded(prefix: string, bytes: Buffer): Value | typeof computed {
  const digits = bytes.toString('latin1')
  if (/^x$/i.test(prefix)) return Buffer.from(digits, 'hex')
  if (/^b$/i.test(prefix)) return bits(digits)
  return prefix === '-' ? computed : bytes
}

function bits(digits: string): Value | typeof computed {
  return /^[01]{1,64}$/.test(digits) ? BigInt(`0b${digits}`).toString() : computed
}

function literal(prefix: string, word: string): Value | typeof computed {
  if (/^\d/.test(word)) {
    if (/^0x/i.test(word)) return Buffer.from(word.slice(2), 'hex')
    if (/^0b/i.test(word)) return bits(word.slice(2))
    return prefix + word
  }
  if (prefix !== '') return computed
  if (/^(NULL|DEFAULT)$/i.test(word)) return null
  if (/^TRUE$/i.test(word)) return '1'
  return /^FALSE$/i.test(word) ? '0' : computed
}
