/** What is made for each account, by its row id. */
const underWay = new Map<number, Promise<void>>()

/** For what is of the whole instance: no account has this row id. */
export const wholeInstance = 0

/**
 * Makes the content once what was made for the account before is sent or given up: the work of one export at a time leaves the
 * others their turns, however many an account asks for.
 */
export async function* oneAtATime<T>(
  accountId: number,
  content: AsyncIterable<T>,
): AsyncGenerator<T> {
  const before = underWay.get(accountId)
  const { promise, resolve } = Promise.withResolvers<void>()
  underWay.set(accountId, promise)
  try {
    await before
    yield* content
  } finally {
    if (underWay.get(accountId) === promise) underWay.delete(accountId)
    resolve()
  }
}
