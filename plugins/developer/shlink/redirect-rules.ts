import { isRefusal, type Json, z } from '../../../core/plugin.ts'
import { json, problem, type Said } from './answers.ts'
import type { Asked } from './asked.ts'
import { findNamed, isSaid, type Link, linkIn } from './called-link.ts'
import { type Condition, conditionsOf, ownCondition } from './rule-conditions.ts'

/** A rule of a link, as the API shows it. */
const ownRules = z.array(
  z.object({
    name: z.string(),
    originalUrl: z.string(),
    weight: z.number().nullable(),
    conditions: z.array(z.record(z.string(), z.json())),
  }),
)

const wanted = z.object({
  redirectRules: z
    .array(
      z.object({
        longUrl: z.string(),
        conditions: z
          .array(
            z.object({
              type: z.string(),
              matchKey: z.string().nullish(),
              matchValue: z.string().nullish(),
            }),
          )
          .max(10),
      }),
    )
    .max(50),
})

/** As many rules one rule of ours may become, of which each value of a list needs one. */
const mostOfOne = 50

interface Rules {
  readonly rules: readonly { readonly longUrl: string; readonly conditions: readonly Condition[] }[]
  /** Rules that Shlink has no words for, such as shares by weight. */
  readonly left: readonly string[]
}

export async function showRules(asked: Asked): Promise<Said> {
  const link = await findNamed(asked)
  return isSaid(link) ? link : answer(link)
}

function answer(link: Link): Said {
  const redirectRules = rulesOf(link).rules.map((rule, index) => ({ ...rule, priority: index + 1 }))
  return json({ defaultLongUrl: link.originalUrl, redirectRules })
}

function rulesOf(link: Link): Rules {
  const rules: Rules['rules'][number][] = []
  const left: string[] = []
  for (const { name, originalUrl, weight, conditions } of ownRules.parse(
    link.dynamicRouting?.rules ?? [],
  )) {
    const all = weight === null ? combined(conditions.map(conditionsOf)) : undefined
    if (all) rules.push(...all.map(it => ({ longUrl: originalUrl, conditions: it })))
    else left.push(name)
  }
  return { rules, left }
}

/** One of each: what is met by one of several values needs a rule for each of them. */
function combined(
  choices: readonly (readonly Condition[] | undefined)[],
): readonly (readonly Condition[])[] | undefined {
  let all: readonly (readonly Condition[])[] = [[]]
  for (const choice of choices) {
    if (!choice) return undefined
    all = all.flatMap(some => choice.map(one => [...some, one]))
    if (all.length > mostOfOne) return undefined
  }
  return all
}

/** Replaces all rules, unless that would lose some that were not shown. */
export async function setRules(asked: Asked): Promise<Said> {
  const owner = await asked.caller('links:write')
  if (isRefusal(owner)) return owner
  const link = await findNamed(asked)
  if (isSaid(link)) return link
  const invalid = (detail: string) =>
    problem(asked, 400, 'invalid-data', detail, { invalidElements: ['redirectRules'] })
  const { left } = rulesOf(link)
  if (left.length > 0) {
    return invalid(
      `Rules of this link have no form in Shlink and would be lost: ${left.join(', ')}. Change them in Linnet.`,
    )
  }
  const read = wanted.safeParse(asked.body)
  if (!read.success)
    return invalid('Give redirectRules: at most 50, each with a longUrl and conditions.')
  const rules: Json[] = []
  for (const [index, { longUrl, conditions }] of read.data.redirectRules.entries()) {
    const own = conditions.map(ownCondition)
    const wrong = own.find(it => typeof it === 'string')
    if (wrong !== undefined) return invalid(`Rule ${index + 1}: ${wrong}`)
    const known = own.filter(it => typeof it !== 'string')
    rules.push({ name: `Rule ${index + 1}`, originalUrl: longUrl, conditions: known })
  }
  // A plugin that is off has no field that could be null.
  const isNothing = rules.length === 0 && !link.dynamicRouting
  if (isNothing) return answer(link)
  const dynamicRouting = rules.length === 0 ? null : { rules }
  const changed = linkIn(await asked.call('PATCH', `/links/${link.id}`, { dynamicRouting }))
  return isRefusal(changed) ? changed : answer(changed)
}
