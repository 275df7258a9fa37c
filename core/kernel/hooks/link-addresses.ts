import type { LinkDraft } from '../../links/hooks.ts'
import type { Link } from '../../links/link.ts'
import type { LinkAddress, Plugin } from '../../plugin.ts'

/** Returns every address that a draft may lead to, with the given fields replacing stored ones. */
export type AddressesOf = (
  draft: Pick<LinkDraft, 'kind' | 'originalUrl' | 'given' | 'before'>,
) => readonly LinkAddress[]

/** Finds the addresses of a link in the fields that have `addresses`. */
export function createAddressesOf(plugins: readonly Plugin[]): AddressesOf {
  const leading = plugins.flatMap(({ feature, fields = {} }) =>
    Object.entries(fields)
      .filter(([, field]) => field.addresses && field.stored)
      .map(([key, field]) => ({ feature, key, field })),
  )

  return ({ kind, originalUrl, given, before }) => [
    { field: 'originalUrl', url: originalUrl },
    ...leading.flatMap(({ feature, key, field }) => {
      const isAsked = field.when === undefined || field.when === kind
      const wanted = isAsked ? given[key] : undefined
      const value = wanted === undefined ? before[feature]?.[key] : wanted
      const urls = value === undefined || value === null ? [] : (field.addresses?.(value) ?? [])
      return urls.map(url => ({ field: key, url }))
    }),
  ]
}

/** A saved link as a draft that changes nothing. */
export function unchanged({ originalUrl, fields }: Link): Parameters<AddressesOf>[0] {
  return { kind: 'edit', originalUrl, given: {}, before: fields }
}
