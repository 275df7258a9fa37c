import { ownText } from '../../lib/text/own-text.ts'

/** Numbers texts, from 1 up; 0 is the empty text. */
export class TextNumbers {
  readonly #numbers = new Map([['', 0]])
  readonly #texts = ['']
  #chars = 0

  /** The texts by number; the list grows. */
  get texts(): readonly string[] {
    return this.#texts
  }

  /** How many characters they have together, one byte each. */
  get chars(): number {
    return this.#chars
  }

  /** The number of a part of a larger text; does not keep the larger text in memory. */
  numberOf(part: string): number {
    if (part === '') return 0
    const known = this.#numbers.get(part)
    if (known !== undefined) return known
    const own = ownText(part)
    this.#chars += own.length
    this.#numbers.set(own, this.#texts.length)
    return this.#texts.push(own) - 1
  }
}
