import type { JsonSchema } from '../../../shared/fields/json-schema.ts'
import { browserZone } from '../../../shared/fields/moments.ts'

/** Where visitors go who meet all conditions. */
export interface Rule {
  readonly name: string
  readonly originalUrl: string
  /** Percentage of these visitors; null means all of them. */
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
  'city',
  'network',
  'device',
  'os',
  'browser',
  'language',
  'query_param',
  'time',
] as const

export type ConditionType = (typeof conditionTypes)[number]

export type Operator = 'is' | 'is_not' | 'exists' | 'not_exists' | 'between' | 'not_between'

/** The operators that a type of condition allows. */
export function operatorsOf(type: ConditionType): readonly Operator[] {
  if (type === 'time') return ['between', 'not_between']
  return type === 'query_param' ? ['is', 'is_not', 'exists', 'not_exists'] : ['is', 'is_not']
}

/** A new condition of this type, without a value. */
export function newCondition(type: ConditionType): Condition {
  if (type === 'time') {
    return { type, operator: 'between', key: null, value: `09:00-17:00 ${browserZone}` }
  }
  return { type, operator: 'is', key: type === 'query_param' ? '' : null, value: [] }
}

/** The condition with another operator, which may need another kind of value. */
export function withOperator(condition: Condition, operator: Operator): Condition {
  const hasNoValue = operator === 'exists' || operator === 'not_exists'
  return { ...condition, operator, value: hasNoValue ? null : (condition.value ?? []) }
}

/** The values of a condition, which the API takes as one value or as a list. */
export function valuesIn({ value }: Condition): readonly string[] {
  return value === null ? [] : [value].flat()
}

/** The rules in the form's value; null means none. */
export function rulesIn(value: unknown): readonly Rule[] {
  return isRouting(value) ? value.rules : []
}

/** No rules means no routing. */
export function routingOf(rules: readonly Rule[]): { readonly rules: readonly Rule[] } | null {
  return rules.length > 0 ? { rules } : null
}

function isRouting(value: unknown): value is { readonly rules: readonly Rule[] } {
  return typeof value === 'object' && value !== null && 'rules' in value
}

/** The most rules and conditions, from the schema of the field. */
export function limitsOf(schema: JsonSchema): { readonly rules: number; conditions: number } {
  const rules = schema.properties?.rules
  const conditions = rules?.items?.properties?.conditions
  return { rules: rules?.maxItems ?? 50, conditions: conditions?.maxItems ?? 10 }
}

/** The list with two of its items swapped. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const item = list[from]
  if (item === undefined || to < 0 || to >= list.length) return list
  const others = list.filter((_, index) => index !== from)
  return [...others.slice(0, to), item, ...others.slice(to)]
}
