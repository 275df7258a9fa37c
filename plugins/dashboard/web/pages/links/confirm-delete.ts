import { modals } from '@mantine/modals'
import { texts } from '../../texts.ts'

/** Ask before links are deleted: nothing brings them back. */
export function confirmDelete(count: number, onConfirm: () => void): void {
  modals.openConfirmModal({
    title: texts.links.deleteHeading(count),
    children: texts.links.deleteWarning,
    labels: { confirm: texts.common.delete, cancel: texts.common.cancel },
    confirmProps: { color: 'red' },
    closeButtonProps: { 'aria-label': texts.common.close },
    onConfirm,
  })
}
