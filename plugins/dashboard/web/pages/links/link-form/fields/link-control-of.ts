import { type Control, controlOf } from '../../../../shared/fields/control-of.ts'
import type { JsonSchema } from '../../../../shared/fields/json-schema.ts'

/** Inputs made for one specific field, which know more about it than its schema says. */
export type OwnControl = 'tags' | 'campaign' | 'domain' | 'rules' | 'code' | 'end' | 'utm' | 'paths'

/** The inputs for the fields of a link. */
export type LinkControl = Control | OwnControl

interface Own {
  readonly feature: string
  readonly name: string
  /** The control that the plugin must ask for. */
  readonly asked: string
  readonly input: OwnControl
}

const own: readonly Own[] = [
  { feature: 'organization.tags', name: 'tagIds', asked: 'tags', input: 'tags' },
  { feature: 'organization.campaigns', name: 'campaignId', asked: 'campaign', input: 'campaign' },
  { feature: 'organization.customDomains', name: 'domain', asked: 'domain', input: 'domain' },
  { feature: 'link.dynamicRouting', name: 'dynamicRouting', asked: 'rules', input: 'rules' },
  { feature: 'link.customShortCode', name: 'shortCode', asked: 'text', input: 'code' },
  { feature: 'link.editShortCode', name: 'shortCode', asked: 'text', input: 'code' },
  { feature: 'link.linkExpiration', name: 'expiresAt', asked: 'date', input: 'end' },
  { feature: 'link.utmParameters', name: 'utm', asked: 'utm', input: 'utm' },
  { feature: 'link.paths', name: 'paths', asked: 'paths', input: 'paths' },
]

export interface AskedField {
  readonly name: string
  readonly control: string
  readonly schema: JsonSchema
}

/** The input for a field that a plugin adds to links. */
export function linkControlOf(feature: string, { name, control, schema }: AskedField): LinkControl {
  const special = own.find(it => it.feature === feature && it.name === name && it.asked === control)
  return special?.input ?? controlOf(control, schema)
}

export function isOwn(control: LinkControl): control is OwnControl {
  return own.some(({ input }) => input === control)
}
