import { Skeleton } from '@mantine/core'
import { type ComponentType, lazy, Suspense } from 'react'
import type { Control } from './control-of.ts'
import type { ControlProps } from './control-props.ts'
import { CampaignChoice } from './controls/campaign-choice.tsx'
import { DomainChoice } from './controls/domain-choice.tsx'
import { Moment } from './controls/moment.tsx'
import { Parts } from './controls/parts.tsx'
import { Choice, Toggle, WholeOrNot } from './controls/plain.tsx'
import { Sealed } from './controls/sealed.tsx'
import { TagChoice } from './controls/tag-choice.tsx'
import { Address, Prose, Text } from './controls/text.tsx'
import { Json, Lines } from './controls/written.tsx'

// More code than all the others together.
const RulesField = lazy(async () => ({
  default: (await import('../link-rules/rules-field.tsx')).RulesField,
}))

const controls: Readonly<Record<Control, ComponentType<ControlProps>>> = {
  text: Text,
  prose: Prose,
  address: Address,
  number: WholeOrNot,
  choice: Choice,
  date: Moment,
  toggle: Toggle,
  password: Sealed,
  list: Lines,
  object: Parts,
  json: Json,
  tags: TagChoice,
  campaign: CampaignChoice,
  domain: DomainChoice,
  rules: RulesField,
}

/** The input for a field. */
export function FieldControl(props: ControlProps) {
  const Input = controls[props.field.control]
  return (
    <Suspense fallback={<Skeleton height={60} />}>
      <Input {...props} />
    </Suspense>
  )
}
