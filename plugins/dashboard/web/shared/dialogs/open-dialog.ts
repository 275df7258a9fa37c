import type { ModalProps } from '@mantine/core'
import { randomId } from '@mantine/hooks'
import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'
import { texts } from '../../texts.ts'
import { showAbove } from './above-page.ts'

/** Open a dialog from code that cannot render one, such as a menu item. */
export function openDialog(
  title: string,
  children: (close: () => void) => ReactNode,
  props: Pick<ModalProps, 'closeOnClickOutside'> = {},
): void {
  const modalId = randomId()
  showAbove(() =>
    modals.open({
      modalId,
      title,
      ...props,
      closeButtonProps: { 'aria-label': texts.common.close },
      children: children(() => modals.close(modalId)),
    }),
  )
}
