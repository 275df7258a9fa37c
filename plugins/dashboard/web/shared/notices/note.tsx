import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '../icons/icons.ts'

/** Says why something cannot be done here, before somebody tries. */
export function Note({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null
  return (
    <Alert variant="default" icon={<IconAlertTriangle size={18} />} mb="md">
      {text}
    </Alert>
  )
}
