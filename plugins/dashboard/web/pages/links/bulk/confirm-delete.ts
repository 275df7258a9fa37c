import { confirm } from '../../../shared/dialogs/confirm.ts'
import { texts } from '../../../texts.ts'

/** Ask before links are deleted: nothing brings them back. */
export function confirmDelete(count: number, onConfirm: () => void): void {
  confirm({ title: texts.links.deleteHeading(count), text: texts.links.deleteWarning, onConfirm })
}
