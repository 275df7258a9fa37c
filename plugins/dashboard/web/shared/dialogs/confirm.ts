import { modals } from '@mantine/modals'
import { texts } from '../../texts.ts'
import { showAbove } from './above-page.ts'

export interface Question {
  readonly title: string
  /** What will become of it, and what will not. */
  readonly text: string
  /** What the button says that does it. */
  readonly confirm?: string
  onConfirm(): void
}

/** Ask before something is done that nothing brings back. */
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
