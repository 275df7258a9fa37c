import { ownText } from './own-text.ts'

/** Numbers texts, from 1 up; 0 is the empty one. */
export interface TextNumbers {
  /** For a part of a larger text, which is not kept for it. */
  numberOf(part: string): number
  /** By number; grows. */
  readonly texts: readonly string[]
}

export function createTextNumbers(): TextNumbers {
  const numbers = new Map([['', 0]])
  const texts = ['']
  return {
    texts,
    numberOf(part) {
      const known = numbers.get(part)
      if (known !== undefined) return known
      const own = ownText(part)
      numbers.set(own, texts.length)
      return texts.push(own) - 1
    },
  }
}
