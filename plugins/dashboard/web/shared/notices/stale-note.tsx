import { Alert } from '@mantine/core'
import { texts } from '../../texts.ts'
import { IconAlertCircle } from '../icons/icons.ts'

/** Above a form that began again, for what it shows was changed elsewhere. */
export function StaleNote({ isShown }: { readonly isShown: boolean }) {
  if (!isShown) return null
  return (
    <Alert variant="default" icon={<IconAlertCircle size={18} />} role="alert" mb="md">
      {texts.errors.stale}
    </Alert>
  )
}
