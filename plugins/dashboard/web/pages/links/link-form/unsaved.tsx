import { Button, Group, getDefaultZIndex, Modal, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { linkFormTexts } from '../../../texts/link-form.ts'
import { texts } from '../../../texts.ts'

export interface UnsavedProps {
  isUnsaved(): boolean
  /** What would be lost. */
  readonly warning?: string
}

/** Asks before a page is left on which something is not saved. `isUnsaved` is asked at that moment. */
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
      // Above the dialog that asks to sign in again, too.
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
