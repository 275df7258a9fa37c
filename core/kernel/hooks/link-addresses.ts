import type { LinkDraft } from '../../links/hooks.ts'
import type { Link } from '../../links/link.ts'
import type { LinkAddress, Plugin } from '../../plugin.ts'

/** Every address that a draft would lead to, once what was given is on top of what is stored. */
export type AddressesOf = (
  draft: Pick<LinkDraft, 'kind' | 'originalUrl' | 'given' | 'before'>,
) => readonly LinkAddress[]

/** Find the addresses of a link in the fields that say which of their values are some. */
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
