import { modals } from '@mantine/modals'
import { texts } from '../../texts.ts'
import { showAbove } from './above-page.ts'

export interface Question {
  readonly title: string
  /** What will happen, and what will not. */
  readonly text: string
  /** The label of the button that does it. */
  readonly confirm?: string
  onConfirm(): void
}

/** Ask before an action that cannot be undone. */
export function confirm({ title, text, confirm = texts.common.delete, onConfirm }: Question): void {
  showAbove(() =>
    modals.openConfirmModal({
      title,
      children: text,
      labels: { confirm, cancel: texts.common.cancel },
      confirmProps: { color: 'red.9' },
      closeButtonProps: { 'aria-label': texts.common.close },
      onConfirm,
    }),
  )
}
