import type { Visit } from '../../../core/plugin.ts'
import { type Condition, compileCondition } from './conditions.ts'
import { type Rule, type Share, shareOut } from './rules.ts'
import type { Draw } from './split.ts'

/** The compiled rules of a link. */
export interface Routes {
  /** Returns the first rule that fits a visit; undefined if none does. */
  find(visit: Visit): Rule | undefined
  /** Returns for each rule, in order, why it fits or not. */
  explain(visit: Visit): readonly Explained[]
}

/** Whether a rule fits a visit, and why. */
export interface Explained {
  readonly rule: Rule
  readonly fits: boolean
  /** The rule's share of its split, and where the visitor falls in the split; null if the rule has no weight. */
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

/** Checks the conditions before the draw, which costs more. */
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
