import { Modal, type ModalProps } from '@mantine/core'
import { texts } from '../../texts.ts'

/** A dialog with a form above the page. */
export function Dialog(props: ModalProps) {
  return <Modal closeButtonProps={{ 'aria-label': texts.common.close }} {...props} />
}
