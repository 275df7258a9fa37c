import { ActionIcon, Menu } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { texts } from '../../texts.ts'
import { LateItems } from '../dialogs/late-items.tsx'
import { IconDots, IconPencil, IconTrash } from '../icons/icons.ts'

export interface RowMenuProps {
  /** The accessible name, which says whose menu it is. */
  readonly label: string
  /** By default as wide as its items. */
  readonly width?: string | undefined
  readonly children: ReactNode
}

/** The menu at the end of a row, with the actions for its thing. */
export function RowMenu({ label, width, children }: RowMenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Menu position="bottom-end" width={width}>
      <Menu.Target>
        <ActionIcon
          ref={button}
          variant="subtle"
          color="gray"
          c="dimmed"
          size="lg"
          aria-label={label}
        >
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      {/* A dialog returns the focus to where it was, and the menu item will be gone by then. */}
      <Menu.Dropdown onClickCapture={() => button.current?.focus()}>
        <LateItems>{children}</LateItems>
      </Menu.Dropdown>
    </Menu>
  )
}

export interface EditItemProps {
  readonly label?: string
  /** Undefined if the thing cannot be changed; then there is no such item. */
  readonly onClick: (() => void) | undefined
}

export function EditItem({ label = texts.common.edit, onClick }: EditItemProps) {
  if (!onClick) return null
  return (
    <Menu.Item leftSection={<IconPencil size={16} />} onClick={onClick}>
      {label}
    </Menu.Item>
  )
}

export interface DeleteItemProps {
  readonly label?: string
  readonly isDisabled?: boolean
  onClick(): void
}

export function DeleteItem({
  label = texts.common.delete,
  isDisabled = false,
  onClick,
}: DeleteItemProps) {
  return (
    <Menu.Item
      color="red"
      leftSection={<IconTrash size={16} />}
      disabled={isDisabled}
      onClick={onClick}
    >
      {label}
    </Menu.Item>
  )
}
