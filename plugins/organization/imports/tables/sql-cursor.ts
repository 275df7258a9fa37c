import { SourceError } from '../source.ts'
import type { createTokens, Token, Waiting } from './sql-tokens.ts'

/** More columns than any database has in a table, and longer names. */
export const maxColumns = 32_767
const maxNameChars = 128

export type Cursor = ReturnType<typeof createCursor>

/** Goes through SQL: `token` is where it stands. What takes something advances behind it. */
export function createCursor({ next, nextCopied }: ReturnType<typeof createTokens>) {
  const cursor = {
    token: { kind: 'end' } as Token,
    advance,
    skipStatement,
    takeWords,
    takeName,
    takeNames,
    nextCopied,
  }
  return cursor

  function* advance(isKept = true): Waiting<void> {
    cursor.token = yield* next(isKept)
  }

  function* skipStatement(): Waiting<void> {
    while (cursor.token.kind !== 'end' && !isOver(cursor.token)) yield* advance(false)
  }

  /** Takes all words that are such ones. */
  function* takeWords(words: RegExp): Waiting<void> {
    while (isWord(cursor.token, words)) yield* advance()
  }

  /** Takes a name such as `public.links`, of which it returns the last part. */
  function* takeName(): Waiting<string | undefined> {
    let name: string | undefined
    for (;;) {
      const part = nameIn(cursor.token)
      if (part === undefined) return name
      name = part
      yield* advance()
      if (!isSign(cursor.token, '.')) return name
      yield* advance()
    }
  }

  /** Takes names between brackets, whose first one is the token. */
  function* takeNames(): Waiting<string[] | undefined> {
    const names: string[] = []
    while (names.length <= maxColumns) {
      yield* advance()
      const name = nameIn(cursor.token)
      if (name === undefined) return undefined
      names.push(name)
      yield* advance()
      if (isSign(cursor.token, ')')) {
        yield* advance()
        return names
      }
      if (!isSign(cursor.token, ',')) return undefined
    }
    throw tooManyColumns()
  }
}

export function tooManyColumns(): SourceError {
  return new SourceError('A table of the dump has more columns than any database allows.')
}

/** Whether no more SQL comes. */
export function isOver({ kind }: Token): boolean {
  return kind === 'over' || kind === 'cutOff'
}

export function isSign(token: Token, sign: string): boolean {
  return token.kind === 'sign' && token.sign === sign
}

export function isWord(token: Token, word: RegExp): boolean {
  return token.kind === 'word' && word.test(token.text)
}

/** The name that it may be: a word, or what stands in quotes for names. */
export function nameIn(token: Token): string | undefined {
  if (token.kind === 'word') return token.text.slice(0, maxNameChars)
  return token.kind === 'name' ? token.bytes.subarray(0, maxNameChars).toString() : undefined
}
