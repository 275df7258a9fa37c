import { api, dataOf } from '../client/client.ts'
import type { LinkChange } from './links.ts'

/** The most links that one request changes or deletes. */
export const maxAtOnce = 100

/** The outcome for one of many links. */
export interface Outcome {
  readonly id: string
  /** Why it was not done, or null if it was. `isLate`: time ran out, and the link can be sent again. */
  readonly reason: string | null
  readonly isLate: boolean
}

/** Apply the same change to up to a hundred links. */
export async function updateLinks(
  ids: readonly string[],
  change: LinkChange,
): Promise<readonly Outcome[]> {
  const body = { ...change, ids: [...ids] }
  return (await dataOf(api.PATCH('/api/v1/links/bulk', { body }))).data.map(outcomeOf)
}

/** Delete up to a hundred links and their visits. */
export async function deleteLinks(ids: readonly string[]): Promise<readonly Outcome[]> {
  const body = { ids: [...ids] }
  return (await dataOf(api.DELETE('/api/v1/links/bulk', { body }))).data.map(outcomeOf)
}

function outcomeOf({
  id,
  status,
  problem,
}: {
  readonly id: string
  readonly status: number
  readonly problem: {
    readonly detail: string
    readonly errors?: readonly { message: string }[]
  } | null
}): Outcome {
  return { id, reason: problem && sentenceOf(problem), isLate: status === 503 }
}

/** The errors of its fields say more than the problem's own sentence. */
function sentenceOf({
  detail,
  errors = [],
}: {
  readonly detail: string
  readonly errors?: readonly { readonly message: string }[]
}): string {
  return errors.length > 0 ? errors.map(({ message }) => message).join(' ') : detail
}
