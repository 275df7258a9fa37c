import { address, line, shownAddress, z } from '../../../core/plugin.ts'
import { conditionSchema } from './conditions.ts'

const weight = z.int().min(1).max(100, { abort: true }).nullable().default(null).meta({
  description: 'Share of visitors in per cent, among those who reach its split; null: all of them.',
})

const ruleSchema = z
  .strictObject({
    name: line(100),
    originalUrl: address({ label: 'Address', leads: true }).schema,
    weight,
    conditions: z.array(conditionSchema).max(10).default([]),
  })
  .meta({ id: 'RoutingRule' })

export type Rule = z.output<typeof ruleSchema>

/** The rules of a link, in the order in which they are checked. */
export const routingSchema = z.strictObject({
  rules: z
    .array(ruleSchema)
    .min(1)
    .max(50)
    .superRefine((rules, context) => {
      for (const [index, share] of shareOut(rules).entries()) {
        if (share === undefined || share.to <= 100) continue
        const message = `The weights of consecutive rules add up to ${share.to}. They may add up to at most 100.`
        context.addIssue({ code: 'custom', path: [index, 'weight'], message })
      }
    }),
})

const shownRule = ruleSchema.extend({ originalUrl: shownAddress }).meta({ id: 'RoutingRule' })

/** The rules as the API shows them. */
export const shownRouting = z.strictObject({ rules: z.array(shownRule) }).nullable()

/** A rule's part of its split, in per cent: from `from` up to, but not including, `to`. */
export interface Share {
  /** Number of the split within the link, so that each split has its own draw. */
  readonly split: number
  readonly from: number
  readonly to: number
}

/** Returns the share of each rule; undefined for one without a weight. Consecutive rules with weights are one split. */
export function shareOut(rules: readonly Pick<Rule, 'weight'>[]): readonly (Share | undefined)[] {
  let split = -1
  let before: Share | undefined
  return rules.map(({ weight }) => {
    if (weight === null) {
      before = undefined
      return undefined
    }
    if (!before) split += 1
    const from = before?.to ?? 0
    before = { split, from, to: from + weight }
    return before
  })
}
