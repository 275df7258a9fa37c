import { confirm } from '../../../shared/dialogs/confirm.ts'
import { formatNumber } from '../../../shared/text/format.ts'
import { texts } from '../../../texts.ts'

/** Asks before links are deleted: their visitors find nothing. */
export function confirmDelete(count: number, onConfirm: () => void): void {
  const title = texts.links.deleteHeading(count, formatNumber(count))
  confirm({ title, text: texts.links.deleteWarning, onConfirm })
}
