import type { Context, Json } from '../../../../core/plugin.ts'
import { codeOf, detailOf } from './named.ts'

/** Why a field of links cannot be used by an account; undefined if it can. */
export type WhyUnusable = (
  accountId: number,
  field: string,
  value: Json,
) => Promise<string | undefined>

/** The fields that links always have. */
const always = new Set(['originalUrl', 'title', 'notes', 'archived'])

/** Finds out by trying a link with nothing but the field: which plugin has it, and which plans, is for others to know. */
export function usableFields({ unstable }: Pick<Context, 'unstable'>): WhyUnusable {
  const known = new Map<string, Promise<string | undefined>>()

  async function tryField(accountId: number, field: string, value: Json) {
    const tried = await unstable.callApi(accountId, 'POST', '/links?dry_run=true', {
      originalUrl: 'https://example.com/',
      [field]: value,
    })
    const code = codeOf(tried)
    if (code === 'feature_disabled' || code === 'feature_not_in_plan') return detailOf(tried)
    const { errors = [] } = (tried.body ?? {}) as {
      readonly errors?: readonly { readonly field: string; readonly code: string }[]
    }
    return errors.some(it => it.code === 'unknown_field' && it.field === field)
      ? 'This instance has no such field.'
      : undefined
  }

  return async (accountId, field, value) => {
    if (always.has(field)) return undefined
    const key = `${accountId} ${field}`
    const found = known.get(key) ?? tryField(accountId, field, value)
    if (known.size < 1_000) known.set(key, found)
    return found
  }
}
