import type { JsonSchema } from '../../../shared/fields/json-schema.ts'
import { browserZone } from '../../../shared/fields/moments.ts'

/** Where visitors go for whom all conditions hold. */
export interface Rule {
  readonly name: string
  readonly originalUrl: string
  /** Share of the visitors in per cent; null: all of them. */
  readonly weight: number | null
  readonly conditions: readonly Condition[]
}

export interface Condition {
  readonly type: ConditionType
  readonly operator: Operator
  readonly key: string | null
  readonly value: string | readonly string[] | null
}

export const conditionTypes = [
  'country',
  'device',
  'os',
  'browser',
  'language',
  'query_param',
  'time',
] as const

export type ConditionType = (typeof conditionTypes)[number]

export type Operator = 'is' | 'is_not' | 'exists' | 'not_exists' | 'between' | 'not_between'

/** How a type of condition can compare. */
export function operatorsOf(type: ConditionType): readonly Operator[] {
  if (type === 'time') return ['between', 'not_between']
  return type === 'query_param' ? ['is', 'is_not', 'exists', 'not_exists'] : ['is', 'is_not']
}

/** A condition of this type that says nothing yet. */
export function newCondition(type: ConditionType): Condition {
  if (type === 'time') {
    return { type, operator: 'between', key: null, value: `09:00-17:00 ${browserZone}` }
  }
  return { type, operator: 'is', key: type === 'query_param' ? '' : null, value: [] }
}

/** The same with another operator, whose value may be of another kind. */
export function withOperator(condition: Condition, operator: Operator): Condition {
  const hasNoValue = operator === 'exists' || operator === 'not_exists'
  return { ...condition, operator, value: hasNoValue ? null : (condition.value ?? []) }
}

/** The values of a condition, which the API takes one by one or as a list. */
export function valuesIn({ value }: Condition): readonly string[] {
  return value === null ? [] : [value].flat()
}

/** The rules in the form's value; null is none. */
export function rulesIn(value: unknown): readonly Rule[] {
  return isRouting(value) ? value.rules : []
}

/** Without rules there is no routing. */
export function routingOf(rules: readonly Rule[]): { readonly rules: readonly Rule[] } | null {
  return rules.length > 0 ? { rules } : null
}

function isRouting(value: unknown): value is { readonly rules: readonly Rule[] } {
  return typeof value === 'object' && value !== null && 'rules' in value
}

/** How many there may be, as the schema of the field says. */
export function limitsOf(schema: JsonSchema): { readonly rules: number; conditions: number } {
  const rules = schema.properties?.rules
  const conditions = rules?.items?.properties?.conditions
  return { rules: rules?.maxItems ?? 50, conditions: conditions?.maxItems ?? 10 }
}

/** The list with two neighbours in each other's place. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const item = list[from]
  if (item === undefined || to < 0 || to >= list.length) return list
  const others = list.filter((_, index) => index !== from)
  return [...others.slice(0, to), item, ...others.slice(to)]
}
