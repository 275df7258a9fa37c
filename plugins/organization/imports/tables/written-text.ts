import type { Token } from './sql-tokens.ts'

/** Texts with line breaks, as the shell of SQLite writes them in a dump: a database would compute them, and here they are read. */

/** What is longer is no text of the shell. */
const maxShape = 60

/** A line break of each kind is another text, which stands nowhere else in it. */
const replaced = /^(replace\(){1,2}'(,',char\((10|13)\)\)){1,2}$/
const escaped = /^unistr\('\)$/
const escapes = /\\(?:(\\)|([\da-fA-F]{4})|u([\da-fA-F]{4})|\+([\da-fA-F]{6})|U([\da-fA-F]{8})|)/g

export interface WrittenText {
  /** Hears a part of the value. */
  add(token: Token): void
  /** The text; undefined if it is written in no such way. */
  take(): Buffer | undefined
}

/** Whether a value that begins with this word may be such a text. */
export function isWritten(word: string): boolean {
  return /^(replace|unistr)$/i.test(word)
}

export function createWrittenText(): WrittenText {
  let shape = ''
  const texts: string[] = []

  return {
    add(token) {
      if (shape.length > maxShape) return
      if (token.kind === 'word') shape += token.text.slice(0, maxShape).toLowerCase()
      else if (token.kind === 'sign') shape += token.sign
      else if (token.kind === 'text') {
        shape += "'"
        texts.push(token.bytes.toString('latin1'))
      } else shape += '?'
    },

    take() {
      const [text = '', ...others] = texts
      if (escaped.test(shape)) return unescaped(text)
      const codes = [...shape.matchAll(/char\((\d+)\)/g)].map(([, code]) => Number(code))
      const isWhole = shape.split('replace').length - 1 === codes.length
      if (!replaced.test(shape) || !isWhole) return undefined
      const whole = codes.reduce(
        (before, code, index) =>
          others[index] ? before.replaceAll(others[index], String.fromCharCode(code)) : before,
        text,
      )
      return Buffer.from(whole, 'latin1')
    },
  }
}

/** What `unistr` makes of it; undefined for what it knows no letter of. */
function unescaped(text: string): Buffer | undefined {
  let isKnown = true
  const whole = text.replace(escapes, (_, backslash, ...codes: (string | undefined)[]) => {
    if (backslash) return backslash
    const code = Number.parseInt(codes.slice(0, 4).find(it => it !== undefined) ?? '', 16)
    isKnown &&= code <= 0x10ffff
    return isKnown ? Buffer.from(String.fromCodePoint(code)).toString('latin1') : ''
  })
  return isKnown ? Buffer.from(whole, 'latin1') : undefined
}
