import { UnexpectedAnswerError } from './errors.ts'

/** One page of a list. */
export interface Page<T> {
  readonly data: readonly T[]
  readonly meta: {
    readonly currentPage: number
    readonly perPage: number
    readonly total: number
    readonly lastPage: number
    readonly nextCursor: string | null
  }
}

/**
 * A list that comes in pages. `for await` reads all of it, page after page, as far as it is wanted; `await` reads one
 * page with its `meta`. Nothing is asked before.
 */
export class List<T> implements AsyncIterable<T>, PromiseLike<Page<T>> {
  readonly #query: object
  readonly #read: (query: object) => Promise<Page<T>>

  constructor(query: object, read: (query: object) => Promise<Page<T>>) {
    this.#query = query
    this.#read = read
  }

  // biome-ignore lint/suspicious/noThenProperty: `await` on a list reads a page
  then<A = Page<T>, B = never>(
    onPage?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#read(this.#query).then(onPage, onError)
  }

  /** Page after page, of a hundred each unless the query says otherwise. */
  async *pages(): AsyncGenerator<Page<T>, void> {
    let query: { readonly [name: string]: unknown } = { per_page: 100, ...this.#query }
    const asked = new Set([query.cursor])
    for (;;) {
      const page = await this.#read(query)
      yield page
      const { nextCursor } = page.meta
      if (nextCursor === null) return
      if (asked.has(nextCursor)) {
        throw new UnexpectedAnswerError('The pages of the list lead to no end.', 200)
      }
      asked.add(nextCursor)
      query = { ...query, page: undefined, cursor: nextCursor }
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for await (const { data } of this.pages()) yield* data
  }
}
