import { ownText } from '../../lib/text/own-text.ts'

/** Numbers texts, from 1 up; 0 is the empty one. */
export class TextNumbers {
  readonly #numbers = new Map([['', 0]])
  readonly #texts = ['']
  #chars = 0

  /** By number; grows. */
  get texts(): readonly string[] {
    return this.#texts
  }

  /** How many characters they have together, a byte each. */
  get chars(): number {
    return this.#chars
  }

  /** For a part of a larger text, which is not kept for it. */
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
