import { Alert } from '@mantine/core'
import { texts } from '../../texts.ts'
import { IconAlertCircle } from '../icons/icons.ts'

/** Shown above a form that has started again because its subject was changed elsewhere. */
export function StaleNote({ isShown }: { readonly isShown: boolean }) {
  if (!isShown) return null
  return (
    <Alert variant="default" icon={<IconAlertCircle size={18} />} role="alert" mb="md">
      {texts.errors.stale}
    </Alert>
  )
}
