import { Skeleton } from '@mantine/core'
import { type ComponentType, Suspense } from 'react'
import { part } from '../../../shared/dialogs/late.ts'
import { FieldControl } from '../../../shared/fields/controls/field-control.tsx'
import { CampaignChoice } from './controls/campaign-choice.tsx'
import { CodeChoice } from './controls/code-choice.tsx'
import { DomainChoice } from './controls/domain-choice.tsx'
import { EndChoice } from './controls/end-choice.tsx'
import { PathsChoice } from './controls/paths-choice.tsx'
import { TagChoice } from './controls/tag-choice.tsx'
import { UtmChoice } from './controls/utm-choice.tsx'
import { isOwn, type OwnControl } from './fields/link-control-of.ts'
import type { LinkControlProps } from './fields/link-control-props.ts'
import { hasSealed } from './fields/values.ts'

// It is more code than all the others together.
const RulesField = part(async () => (await import('../link-rules/rules-field.tsx')).RulesField)

const own: Readonly<Record<OwnControl, ComponentType<LinkControlProps>>> = {
  tags: TagChoice,
  campaign: CampaignChoice,
  domain: DomainChoice,
  rules: RulesField,
  code: CodeChoice,
  end: EndChoice,
  utm: UtmChoice,
  paths: PathsChoice,
}

/** The input for a field of a link. */
export function LinkControl({ link, values, ...props }: LinkControlProps) {
  const { field } = props
  const { control } = field
  if (!isOwn(control)) {
    return (
      <FieldControl {...props} field={{ ...field, control }} isSealed={hasSealed(field, link)} />
    )
  }
  const Input = own[control]
  return (
    <Suspense fallback={<Skeleton height={60} />}>
      <Input {...props} link={link} values={values} />
    </Suspense>
  )
}
