import { Title } from '@mantine/core'
import type { Grade } from '../../../api/admin/health.ts'
import type { Finding } from '../../../api/admin/instance.ts'
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '../../../shared/icons/icons.ts'
import { adminTexts } from '../../../texts/admin.ts'
import classes from './overall.module.css'

const icons = { ok: IconCircleCheck, degraded: IconAlertTriangle, failing: IconCircleX } as const

export interface OverallProps {
  readonly status: Grade
  /** What was found around Linnet, once it is known. */
  readonly findings: readonly Finding[] | undefined
}

/** The overall status in one sentence: it says that there is nothing to do only if that is so. */
export function Overall({ status, findings = [] }: OverallProps) {
  const isToDo = status === 'ok' && findings.some(it => it.status !== 'ok')
  const shown = isToDo ? 'degraded' : status
  const Icon = icons[shown]
  return (
    <div className={classes.overall} data-status={shown} role="status">
      <Icon size={28} stroke={1.75} aria-hidden="true" />
      <Title order={2} size="h4">
        {adminTexts.health.headings[isToDo ? 'toDo' : status]}
      </Title>
    </div>
  )
}
