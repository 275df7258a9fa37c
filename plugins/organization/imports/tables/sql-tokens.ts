/** A part of SQL. */
export type Token =
  /** A keyword, a name or a number. */
  | { readonly kind: 'word'; readonly text: string }
  /** What stands in single quotes, or in others: then it may be a name. Of long ones the beginning. */
  | { readonly kind: 'text' | 'name'; readonly bytes: Buffer }
  /** Any other sign, such as a bracket. */
  | { readonly kind: 'sign'; readonly sign: string }
  /** The end of a statement, the end of all, or the end in the middle of something. */
  | { readonly kind: 'end' | 'over' | 'cutOff' }

const end: Token = { kind: 'end' }
const over: Token = { kind: 'over' }
const cutOff: Token = { kind: 'cutOff' }

/** Waits for bytes: `next` gives it some more, or undefined at the end. */
export type Waiting<T> = Generator<undefined, T, Uint8Array | undefined>

/** In MySQL's dialect, backslashes escape, `#` begins a comment, and `DELIMITER` a program. */
export type Dialect = 'mysql' | 'standard'

/** What is longer is no URL, and of other values the beginning says enough. */
const maxValueBytes = 2 ** 20
const maxLineBytes = 2 ** 24
/** A binary value may be written as one word. */
const maxWordBytes = 2 * maxValueBytes + 2
const maxCommentBytes = 200

const [tab, newline, carriageReturn, space] = [9, 10, 13, 32]
const [doubleQuote, hash, dollar, singleQuote] = [0x22, 0x23, 0x24, 0x27]
const [star, plus, dash, dot, slash] = [0x2a, 0x2b, 0x2d, 0x2e, 0x2f]
const [semicolon, backslash, backtick] = [0x3b, 0x5c, 0x60]

/** What MySQL means by a character behind a backslash. All others mean themselves. */
const escapes: ReadonlyMap<number, number> = new Map(
  Object.entries({ 0: 0, b: 8, t: tab, n: newline, r: carriageReturn, Z: 26 }).map(
    ([letter, byte]) => [letter.charCodeAt(0), byte],
  ),
)

/**
 * Splits SQL into what it is made of, and knows nothing of its meaning. Its functions wait for bytes by `yield`, which resolves to
 * some more, or to undefined at the end. However long a statement is, one value or line is kept at a time.
 */
export function createTokens(dialect: Dialect, hearComment: (text: string) => void) {
  const isMysql = dialect === 'mysql'
  let chunk: Buffer = Buffer.alloc(0)
  let at = 0
  let isOver = false
  /** Whether a statement begins here. */
  let isFresh = true
  /** Whether the last word was the `E` of PostgreSQL's `E'…'`, in which backslashes escape too. */
  let isEscaping = false

  /** Whether there is another byte. */
  function* more(): Waiting<boolean> {
    while (at >= chunk.length) {
      const next = isOver ? undefined : yield
      isOver = next === undefined
      if (!next) return false
      chunk = Buffer.from(next.buffer, next.byteOffset, next.byteLength)
      at = 0
    }
    return true
  }

  /** Keeps what comes before this byte, and passes the byte. False: it never comes. */
  function* takeUntil(end: number, into: Kept): Waiting<boolean> {
    while (at < chunk.length || (yield* more())) {
      const found = chunk.indexOf(end, at)
      into.add(chunk, at, found === -1 ? chunk.length : found)
      at = found === -1 ? chunk.length : found + 1
      if (found !== -1) return true
    }
    return false
  }

  function* takeWord(): Waiting<string> {
    const word = keep(maxWordBytes)
    let last = 0
    let isNumber: boolean | undefined
    while (at < chunk.length || (yield* more())) {
      const byte = chunk[at] as number
      isNumber ??= isDigit(byte)
      const isExponent = (byte === plus || byte === dash) && (last | 0x20) === 0x65
      const isPart =
        isWordByte(byte) || byte === dollar || (isNumber && (byte === dot || isExponent))
      if (!isPart) break
      word.addByte(byte)
      last = byte
      at++
    }
    return word.take().toString()
  }

  /** Takes what is quoted, whose first quote was taken. */
  function* takeQuoted(quote: number, hasEscapes: boolean, isKept: boolean): Waiting<Token> {
    const value = keep(isKept ? maxValueBytes : 0)
    while (at < chunk.length || (yield* more())) {
      const start = at
      while (at < chunk.length && chunk[at] !== quote && !(hasEscapes && chunk[at] === backslash)) {
        at++
      }
      value.add(chunk, start, at)
      if (at === chunk.length) continue
      const byte = chunk[at++] as number
      const isLast = !(at < chunk.length || (yield* more()))
      if (byte === quote && (isLast || chunk[at] !== quote)) {
        return { kind: quote === singleQuote ? 'text' : 'name', bytes: value.take() }
      }
      if (isLast) return cutOff
      const next = chunk[at++] as number
      value.addByte(byte === quote ? quote : (escapes.get(next) ?? next))
    }
    return cutOff
  }

  /** Passes a comment, which may have others in it, but for MySQL's. False: it has no end. */
  function* passBlockComment(): Waiting<boolean> {
    const comment = keep(maxCommentBytes)
    let depth = 1
    let before = 0
    while (at < chunk.length || (yield* more())) {
      const byte = chunk[at++] as number
      comment.addByte(byte)
      const isEnd = before === star && byte === slash
      const isStart = before === slash && byte === star && !isMysql
      depth += isStart ? 1 : isEnd ? -1 : 0
      if (depth === 0) {
        hearComment(comment.take().toString())
        return true
      }
      before = isEnd || isStart ? 0 : byte
    }
    return false
  }

  /** Passes a program between `$tag$` and `$tag$`, whose first `$` was taken. False: it has no end. */
  function* passDollarQuoted(): Waiting<boolean> {
    const tag = yield* takeWord()
    // A dollar is a part of a word, and PostgreSQL knows names of up to 63 bytes.
    if (!/^\w{0,63}\$$/.test(tag)) return true
    let last = ''
    while (at < chunk.length || (yield* more())) {
      last = (last + String.fromCharCode(chunk[at++] as number)).slice(-tag.length - 1)
      if (last === `$${tag}`) return true
    }
    return false
  }

  /** Passes MySQL's programs, up to the line `DELIMITER ;`. */
  function* passPrograms(): Waiting<void> {
    for (;;) {
      const line = keep(maxCommentBytes)
      const isLine = yield* takeUntil(newline, line)
      if (/^\s*delimiter\s+;\s*$/i.test(line.take().toString()) || !isLine) return
    }
  }

  /** The next token. Without `isKept`, the text of one in quotes is empty. */
  function* next(isKept = true): Waiting<Token> {
    while (at < chunk.length || (yield* more())) {
      const byte = chunk[at] as number
      if (byte <= space) {
        at++
        continue
      }
      if (isWordByte(byte)) {
        const word = yield* takeWord()
        // A file may begin with a mark of UTF-8.
        const text = word.startsWith('\ufeff') ? word.slice(1) : word
        if (text === '') continue
        if (isFresh && isMysql && text.toUpperCase() === 'DELIMITER') {
          yield* passPrograms()
          continue
        }
        isFresh = false
        isEscaping = text === 'E' || text === 'e'
        return { kind: 'word', text }
      }
      at++
      if (byte === singleQuote || byte === doubleQuote || byte === backtick) {
        const hasEscapes = byte !== backtick && (isMysql || isEscaping)
        isFresh = false
        isEscaping = false
        return yield* takeQuoted(byte, hasEscapes, isKept)
      }
      if (byte === semicolon) {
        isFresh = true
        return end
      }
      if (byte === dash || byte === slash) {
        const second = at < chunk.length || (yield* more()) ? chunk[at] : undefined
        if (byte === dash && second === dash) {
          const comment = keep(maxCommentBytes)
          yield* takeUntil(newline, comment)
          hearComment(comment.take().toString().slice(1))
          continue
        }
        if (byte === slash && second === star) {
          at++
          if (!(yield* passBlockComment())) return cutOff
          continue
        }
      }
      // Behind the backslash is a line for the client, such as `\connect`.
      if ((byte === hash && isMysql) || (byte === backslash && isFresh)) {
        yield* takeUntil(newline, keep(0))
        continue
      }
      isFresh = false
      if (byte !== dollar) return { kind: 'sign', sign: String.fromCharCode(byte) }
      if (!(yield* passDollarQuoted())) return cutOff
    }
    return isFresh ? over : cutOff
  }

  /**
   * The next row of `COPY`, after the end of its statement; null after the last one, undefined if the end is missing, and empty if
   * it is longer than any row, or not kept.
   */
  function* nextCopied(isFirst: boolean, isKept: boolean): Waiting<Buffer | null | undefined> {
    if (isFirst) yield* takeUntil(newline, keep(0))
    const kept = keep(isKept ? maxLineBytes : 3)
    if (!(yield* takeUntil(newline, kept))) return undefined
    const line = kept.take()
    const text = line.at(-1) === carriageReturn ? line.subarray(0, -1) : line
    if (text.length === 2 && text[0] === backslash && text[1] === dot) return null
    return kept.isCut ? empty : text
  }

  return { next, nextCopied }
}

type Kept = ReturnType<typeof keep>

/** Keeps up to so many bytes of what is added. */
function keep(most: number) {
  let bytes: Buffer = empty
  let length = 0
  return {
    /** Whether there was more. */
    isCut: false,
    add(from: Buffer, start: number, end: number) {
      const wanted = Math.min(end - start, most - length)
      if (wanted < end - start) this.isCut = true
      if (wanted <= 0) return
      if (length + wanted > bytes.length) bytes = grown(bytes, length, length + wanted)
      from.copy(bytes, length, start, start + wanted)
      length += wanted
    },
    addByte(byte: number) {
      if (length === most) {
        this.isCut = true
        return
      }
      if (length === bytes.length) bytes = grown(bytes, length, length + 1)
      bytes[length++] = byte
    },
    take: () => bytes.subarray(0, length),
  }
}

const empty = Buffer.alloc(0)

function grown(bytes: Buffer, length: number, needed: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(needed, 2 * length, 32))
  bytes.copy(larger, 0, 0, length)
  return larger
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

/** Letters, digits, `_` and all that is beyond ASCII. */
function isWordByte(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) ||
    isDigit(byte) ||
    byte === 0x5f ||
    (byte >= 0x41 && byte <= 0x5a) ||
    byte >= 0x80
  )
}
