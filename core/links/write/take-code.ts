import { type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { LinkPast } from '../../plugin.ts'
import { inOneGo, type Tx } from '../../storage/database.ts'
import { suffixOf, wrongWithCode } from '../codes/code-rules.ts'
import { isReserved, type Paths } from '../codes/reserved-codes.ts'
import { type CodeToTake, takingCodes } from '../codes/taking-codes.ts'
import { inCodeForm } from '../codes/wide-code.ts'
import type { Link } from '../link.ts'
import type { LinkDeps } from './link-deps.ts'

/** Makes a short code lead to a link, in the transaction that saves the link; false if the code is taken. */
export async function takeCode(tx: Tx, wanted: CodeToTake): Promise<boolean> {
  return (await inOneGo(tx, takingCodes(tx, [wanted]))).has(wanted.link_id)
}

/** Refuses a code of a form that codes on this host do not have. */
export function refuseForm(
  { hosts, hooks }: Pick<LinkDeps, 'hosts' | 'hooks'>,
  domain: string,
  code: string,
): Refusal | undefined {
  const wrong = wrongWithCode(code, hosts.rulesOf(domain))
  if (wrong !== undefined) return refuse('validation_failed', wrong, 422, 'shortCode')
  const suffix = suffixOf(code)
  if (suffix === undefined || !hooks.findView(suffix)) return undefined
  const detail = `A short code cannot end with ${suffix}, which shows a page about a link.`
  return refuse('validation_failed', detail, 422, 'shortCode')
}

/** Refuses a code that nobody can have; undefined for any other code, even a taken one. */
export function refuseReserved(domain: string, code: string, paths: Paths): Refusal | undefined {
  if (!isReserved(domain, code, paths)) return undefined
  return refuse('short_code_taken', `The short code ${code} is reserved.`, 409, 'shortCode')
}

/** The refusal of a code that another link has or had. Who got a host from another account finds some that no link of theirs has. */
export function refuseTaken(domain: string, code: string): Refusal {
  const detail =
    domain === ''
      ? `The short code ${code} is taken.`
      : `The short code ${code} is taken on ${domain}. Codes stay with the account that had them, also when a host passes to another.`
  return refuse('short_code_taken', detail, 409, 'shortCode')
}

/** How many former codes a link may have: all of them are read with it. */
export const maxFormerCodes = 100

/** Refuses one code more than a link may have; undefined if it has not as many. */
export async function refuseMany(tx: Tx, linkId: number): Promise<Refusal | undefined> {
  const { codes } = await tx
    .selectFrom('short_codes')
    .select(({ fn }) => fn.countAll<number | string>().as('codes'))
    .where('link_id', '=', linkId)
    // Not the forms by which codes in any case are found.
    .where('domain', 'not like', '~%')
    .executeTakeFirstOrThrow()
  if (Number(codes) <= maxFormerCodes + 1) return undefined
  const detail = `This link has ${maxFormerCodes} former short codes, which go on working. Make another link.`
  return refuse('validation_failed', detail, 422, 'shortCode')
}

/** Makes codes from elsewhere lead to a new link, too. Refused: one that cannot be, or is taken. */
export async function takeFormerCodes(
  deps: Pick<LinkDeps, 'hosts' | 'hooks' | 'paths'>,
  tx: Tx,
  { domain, rowId, accountId, createdAt }: Link,
  { formerCodes = [] }: Pick<LinkPast, 'formerCodes'>,
): Promise<Refusal | undefined> {
  for (const [index, given] of formerCodes.entries()) {
    const code = inCodeForm(given)
    const wanted = { domain, code, link_id: rowId, account_id: accountId }
    const refusal =
      refuseForm(deps, domain, code) ??
      refuseReserved(domain, code, deps.paths) ??
      ((await takeCode(tx, { ...wanted, created_at: createdAt.getTime() }))
        ? undefined
        : refuseTaken(domain, code))
    if (refusal) return { ...refusal, field: `formerCodes[${index}]` }
  }
  return undefined
}
