import { Title } from '@mantine/core'
import type { Grade } from '../../../api/admin/health.ts'
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '../../../shared/icons/icons.ts'
import { adminTexts } from '../../../texts/admin.ts'
import classes from './overall.module.css'

const icons = { ok: IconCircleCheck, degraded: IconAlertTriangle, failing: IconCircleX } as const

/** The overall status in one sentence. */
export function Overall({ status }: { readonly status: Grade }) {
  const Icon = icons[status]
  return (
    <div className={classes.overall} data-status={status} role="status">
      <Icon size={28} stroke={1.75} aria-hidden="true" />
      <Title order={2} size="h4">
        {adminTexts.health.headings[status]}
      </Title>
    </div>
  )
}
