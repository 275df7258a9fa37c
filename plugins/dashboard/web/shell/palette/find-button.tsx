import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core'
import { IconSearch } from '../../shared/icons/icons.ts'
import { texts } from '../../texts.ts'
import classes from './find-button.module.css'
import { modKey } from './mod-key.ts'

export interface FindButtonProps {
  /** Shows only the icon, for lack of space. */
  readonly isSmall?: boolean
  onClick(): void
}

/** Opens the palette. */
export function FindButton({ isSmall = false, onClick }: FindButtonProps) {
  if (isSmall) {
    return (
      <ActionIcon
        variant="transparent"
        c="inherit"
        size="lg"
        aria-label={texts.common.search}
        onClick={onClick}
      >
        <IconSearch size={20} />
      </ActionIcon>
    )
  }
  return (
    <UnstyledButton className={classes.find} onClick={onClick}>
      <IconSearch size={16} aria-hidden="true" />
      <span className={classes.word}>{texts.common.search}</span>
      <Kbd size="xs" aria-hidden="true">
        {modKey} K
      </Kbd>
    </UnstyledButton>
  )
}
