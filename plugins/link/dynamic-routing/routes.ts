import type { Visit } from '../../../core/plugin.ts'
import { type Condition, compileCondition } from './conditions.ts'
import { type Rule, type Share, shareOut } from './rules.ts'
import type { Draw } from './split.ts'

/** The rules of a link made ready to be asked. */
export interface Routes {
  /** The first rule that fits a visit; undefined when none does. */
  find(visit: Visit): Rule | undefined
  /** Why each rule fits or not, in order. */
  explain(visit: Visit): readonly Explained[]
}

/** What a rule made of a visit. */
export interface Explained {
  readonly rule: Rule
  readonly fits: boolean
  /** Where in its split the visitor falls; null when the rule has no weight. */
  readonly share: (Pick<Share, 'from' | 'to'> & { readonly drawn: number; holds: boolean }) | null
  readonly conditions: readonly (Condition & { readonly holds: boolean; seen: string | null })[]
}

export function compileRules(rules: readonly Rule[], draw: Draw): Routes {
  const shares = shareOut(rules)
  const compiled = rules.map((rule, index) => compileRule(rule, shares[index], draw))
  return {
    find: visit => compiled.find(({ fits }) => fits(visit))?.rule,
    explain: visit => compiled.map(({ explain }) => explain(visit)),
  }
}

/** Conditions are asked before the draw, which costs more than they do. */
function compileRule(rule: Rule, share: Share | undefined, draw: Draw) {
  const tests = rule.conditions.map(condition => ({ condition, ...compileCondition(condition) }))
  const takes = ({ from, to, split }: Share, visit: Visit) => {
    const drawn = draw(visit, split)
    return { from, to, drawn, holds: from <= drawn && drawn < to }
  }
  const fits = (visit: Visit) =>
    tests.every(({ holds }) => holds(visit)) && (!share || takes(share, visit).holds)

  return {
    rule,
    fits,
    explain(visit: Visit): Explained {
      return {
        rule,
        fits: fits(visit),
        share: share ? takes(share, visit) : null,
        conditions: tests.map(({ condition, holds, seen }) => ({
          ...condition,
          holds: holds(visit),
          seen: seen(visit),
        })),
      }
    },
  }
}
