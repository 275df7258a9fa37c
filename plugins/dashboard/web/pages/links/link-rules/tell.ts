import { formatMoment, formatShare } from '../../../shared/text/format.ts'
import { rulesTexts } from '../../../texts/rules.ts'
import { countryName, languageName } from './names.ts'
import { type Condition, type ConditionType, type Rule, valuesIn } from './rules.ts'

/** A condition in a sentence. */
export function tellCondition(condition: Condition): string {
  const { type, operator, key, value } = condition
  const what = type === 'query_param' && key ? `${rulesTexts.types[type]} ${key}` : typeName(type)
  const values = Array.isArray(value) && type === 'time' ? tellSpan(value) : tellValues(condition)
  const { operators, operatorsForOne } = rulesTexts
  const isOne = valuesIn(condition).length === 1
  const how = { ...operators, ...(isOne && operatorsForOne) }[operator]
  return [what, how, values].filter(Boolean).join(' ')
}

/** What a rule requires, in one line. */
export function tellRule({ conditions, weight }: Rule): string {
  const parts = conditions.map(tellCondition)
  if (weight !== null) parts.unshift(rulesTexts.percent(formatShare(weight / 100)))
  return parts.length > 0 ? parts.join(' · ') : rulesTexts.everybody
}

/** The name of a value. */
export function tellValue(type: string, value: string): string {
  if (type === 'country') return countryName(value)
  if (type === 'language') return languageName(value)
  if (type === 'device' && isDevice(value)) return rulesTexts.devices[value]
  return value
}

/** The name of what a condition looks at. */
function typeName(type: string): string {
  return isType(type) ? rulesTexts.types[type] : type
}

function tellValues(condition: Condition): string {
  return valuesIn(condition)
    .map(value => tellValue(condition.type, value))
    .join(', ')
}

function tellSpan(moments: readonly string[]): string {
  return moments.map(formatMoment).join(' – ')
}

function isType(type: string): type is ConditionType {
  return Object.hasOwn(rulesTexts.types, type)
}

function isDevice(device: string): device is keyof typeof rulesTexts.devices {
  return Object.hasOwn(rulesTexts.devices, device)
}
