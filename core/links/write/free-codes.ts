import type { CodeRules } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import { formOf, formsOn, wrongWithCode } from '../codes/code-rules.ts'
import { isReserved, type Paths } from '../codes/reserved-codes.ts'
import { inCodeForm } from '../codes/wide-code.ts'

/** Whether a short code is free for a new link. */
export interface CodeState {
  readonly code: string
  readonly isFree: boolean
  /** Why the code is not free; null if it is. */
  readonly reason: 'taken' | 'reserved' | 'malformed' | null
  /** A similar code that is free, suggested only once; null if the code itself is free, or if none was found. */
  readonly suggestion: string | null
}

export interface CodeQuestion {
  readonly accountId: number
  /** '' is the host of the base URL. */
  readonly domain: string
  readonly codes: readonly string[]
  readonly paths: Paths
  readonly rules: CodeRules
}

/** What is added to a code that is not free: `spring-2`. */
const endings = [2, 3, 4, 5, 6, 7, 8, 9]

const maxLength = 64

/** Whether each of these codes is free, in their order. Nothing is reserved: a code may be gone a moment later. */
export async function readCodeStates(
  db: Database,
  { accountId, domain, codes: asked, paths, rules }: CodeQuestion,
): Promise<readonly CodeState[]> {
  const codes = asked.map(inCodeForm)
  const variantsOf = (code: string) => similarTo(code).filter(it => !wrongWithCode(it, rules))
  const wanted = codes.flatMap(code => [code, ...variantsOf(code)])
  const forms = wanted.flatMap(code => formOf(code, rules) ?? [])
  const rows = await db
    .selectFrom('short_codes')
    .select(['domain', 'code'])
    .where(({ eb, and, or }) => {
      const at = (host: string, some: readonly string[]) =>
        and([eb('domain', '=', host), eb('code', 'in', [...new Set(some)])])
      const exactly = at(domain, wanted)
      return forms.length === 0 ? exactly : or([exactly, at(formsOn(domain), forms)])
    })
    // An account can have its own code again once the link is gone. Nobody can have a code of a deleted account.
    .where(eb =>
      eb.or([
        eb('account_id', 'is', null),
        eb('account_id', '!=', accountId),
        eb('link_id', 'is not', null),
      ]),
    )
    .execute()
  const taken = new Set(rows.map(row => `${row.domain} ${row.code}`))
  const reasonFor = (code: string) => {
    if (wrongWithCode(code, rules)) return 'malformed'
    if (isReserved(domain, code, paths)) return 'reserved'
    const form = formOf(code, rules)
    const isTaken =
      taken.has(`${domain} ${code}`) ||
      (form !== undefined && taken.has(`${formsOn(domain)} ${form}`))
    return isTaken ? 'taken' : null
  }
  const named = new Set(codes)
  return codes.map(code => {
    const reason = reasonFor(code)
    if (!reason) return { code, isFree: true, reason, suggestion: null }
    if (reason === 'malformed') return { code, isFree: false, reason, suggestion: null }
    const other = variantsOf(code).find(it => reasonFor(it) === null && !named.has(it))
    if (other !== undefined) named.add(other)
    return { code, isFree: false, reason, suggestion: other ?? null }
  })
}

function similarTo(code: string): readonly string[] {
  return endings.map(ending => `${code.slice(0, maxLength - 2)}-${ending}`)
}
