/** A claim of the provider about somebody. */
export type Claims = Readonly<Record<string, unknown>>

/**
 * The groups that somebody is in: a list, or one name, in the claim with this name or at this path, such as
 * `realm_access.roles`. None if there is no such claim. Undefined if there are so many that the provider left them out
 * (`_claim_names`, OpenID Connect Core 1.0, section 5.6.2).
 */
export function groupsIn(claims: Claims, claim: string): readonly string[] | undefined {
  const elsewhere = claims._claim_names
  if (isObject(elsewhere) && Object.hasOwn(elsewhere, claim)) return undefined
  const value = claim in claims ? claims[claim] : at(claims, claim.split('.'))
  return [value].flat().filter(it => typeof it === 'string')
}

function at(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  return isObject(value) && Object.hasOwn(value, name) ? at(value[name], rest) : undefined
}

function isObject(value: unknown): value is Claims {
  return typeof value === 'object' && value !== null
}

/**
 * The plan that the first line `group = plan` with one of these groups names; `*` is everybody. Undefined: it stays as it is. The
 * name of a group may have an equals sign, as in a directory.
 */
export function planFor(groups: readonly string[], lines: readonly string[]): string | undefined {
  for (const line of lines) {
    const end = line.lastIndexOf('=')
    const [group, plan] = [line.slice(0, end).trim(), line.slice(end + 1).trim()]
    if (group === '*' || groups.includes(group)) return plan
  }
  return undefined
}
