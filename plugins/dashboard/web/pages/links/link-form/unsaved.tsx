import { Button, Group, getDefaultZIndex, Modal, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { linkFormTexts } from '../../../texts/link-form.ts'
import { texts } from '../../../texts.ts'

export interface UnsavedProps {
  isUnsaved(): boolean
  /** What leaving would lose. */
  readonly warning?: string
}

/** Asks before leaving a page with unsaved changes. `isUnsaved` is called at that moment. */
export function Unsaved({ isUnsaved, warning = linkFormTexts.leaveWarning }: UnsavedProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: isUnsaved,
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  })
  return (
    <Modal
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title={linkFormTexts.leaveHeading}
      // Also above the dialog to sign in again.
      zIndex={getDefaultZIndex('overlay')}
      closeButtonProps={{ 'aria-label': texts.common.close }}
    >
      <Text>{warning}</Text>
      <Group justify="end" mt="lg">
        <Button variant="default" onClick={() => proceed?.()}>
          {linkFormTexts.leave}
        </Button>
        <Button onClick={() => reset?.()} data-autofocus>
          {linkFormTexts.stay}
        </Button>
      </Group>
    </Modal>
  )
}
