import { Alert } from '@mantine/core'
import { IconAlertCircle } from '../icons/icons.ts'

/** A problem of a form as a whole. */
export function FormProblem({ problem }: { readonly problem: string | null | undefined }) {
  if (!problem) return null
  return (
    <Alert color="linnet" variant="light" icon={<IconAlertCircle size={18} />} role="alert">
      {problem}
    </Alert>
  )
}
