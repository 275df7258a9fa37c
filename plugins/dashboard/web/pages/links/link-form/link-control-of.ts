import { type Control, controlOf } from '../../../shared/fields/control-of.ts'
import type { JsonSchema } from '../../../shared/fields/json-schema.ts'

/** Inputs that are made for one field, and know more of it than its schema says. */
const own = {
  'organization.tags': 'tags',
  'organization.campaigns': 'campaign',
  'organization.customDomains': 'domain',
  'link.dynamicRouting': 'rules',
} as const

export type OwnControl = (typeof own)[keyof typeof own]

/** The inputs that there are for what a link can carry. */
export type LinkControl = Control | OwnControl

/** The input for a field that a plugin brings to links. */
export function linkControlOf(feature: string, control: string, schema: JsonSchema): LinkControl {
  const special = Object.entries(own).find(([it]) => it === feature)?.[1]
  return special && special === control ? special : controlOf(control, schema)
}

export function isOwn(control: LinkControl): control is OwnControl {
  return Object.values<string>(own).includes(control)
}
