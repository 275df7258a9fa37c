import { Button, type ButtonProps } from '@mantine/core'
import { IconPlus } from '../icons/icons.ts'

export interface AddButtonProps extends ButtonProps {
  readonly label: string
  onClick(): void
}

/** Adds another of the things that a page lists. */
export function AddButton({ label, ...props }: AddButtonProps) {
  return (
    <Button leftSection={<IconPlus size={18} />} {...props}>
      {label}
    </Button>
  )
}
