import { ActionIcon, Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../texts.ts'
import { IconDots, IconPencil, IconTrash } from './icons.ts'

export interface RowMenuProps {
  /** Whose menu it is, for who does not see the row. */
  readonly label: string
  /** As wide as its items unless given. */
  readonly width?: string | undefined
  readonly children: ReactNode
}

/** At the end of a row: what can be done with its thing. */
export function RowMenu({ label, width, children }: RowMenuProps) {
  return (
    <Menu position="bottom-end" width={width}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" c="dimmed" size="lg" aria-label={label}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}

export interface EditItemProps {
  readonly label?: string
  /** Missing where it cannot be changed: then there is no such item. */
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
