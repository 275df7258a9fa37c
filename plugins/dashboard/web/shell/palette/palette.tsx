import { Kbd, Modal, VisuallyHidden } from '@mantine/core'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { copyLink } from '../../shared/copy/copy-link.ts'
import { IconSearch } from '../../shared/icons/icons.ts'
import { paletteTexts } from '../../texts/palette.ts'
import { type Command, fits } from './command.ts'
import { modKey } from './mod-key.ts'
import classes from './palette.module.css'
import { useCommands } from './use-commands.ts'
import { useFoundLinks } from './use-found-links.ts'

export interface PaletteProps {
  onClose(): void
  showKeys(): void
}

/** Finds links, pages and actions by typing, from anywhere. */
export function Palette({ onClose, showKeys }: PaletteProps) {
  return (
    <Modal.Root
      opened
      onClose={onClose}
      yOffset="12vh"
      size="lg"
      centered={false}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={paletteTexts.title}>
        <Modal.Body p={0}>
          <Finder onClose={onClose} showKeys={showKeys} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

function Finder({ onClose, showKeys }: PaletteProps) {
  const id = useId()
  const [search, setSearch] = useState('')
  const [place, setPlace] = useState(0)
  const { links, isLooking } = useFoundLinks(search)
  const commands = useCommands(search, showKeys).filter(it => fits(it, search.trim()))
  const found = [...links, ...commands]
  const at = Math.min(place, found.length - 1)
  const optionId = (index: number) => `${id}-${index}`
  useScrollTo(optionId(at))

  const run = (command: Command | undefined) => {
    if (!command) return
    onClose()
    void command.run()
  }
  const copy = async ({ shortUrl }: Command) => {
    if (!shortUrl) return
    onClose()
    await copyLink(shortUrl)
  }
  const press = (event: KeyboardEvent) => {
    const command = found[at]
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step !== undefined) setPlace((at + step + found.length) % Math.max(1, found.length))
    else if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    else if ((event.ctrlKey || event.metaKey) && command?.shortUrl) void copy(command)
    else run(command)
    event.preventDefault()
  }

  return (
    <>
      <div className={classes.field}>
        <IconSearch size={18} aria-hidden="true" />
        <input
          type="text"
          role="combobox"
          aria-label={paletteTexts.title}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={found.length > 0 ? optionId(at) : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          placeholder={paletteTexts.placeholder}
          value={search}
          onChange={({ currentTarget }) => {
            setSearch(currentTarget.value)
            setPlace(0)
          }}
          onKeyDown={press}
        />
      </div>
      <VisuallyHidden role="status">
        {isLooking ? '' : paletteTexts.found(found.length)}
      </VisuallyHidden>
      <div id={id} role="listbox" aria-label={paletteTexts.title} className={classes.list}>
        {found.map((command, index) => (
          <Option
            key={command.id}
            id={optionId(index)}
            command={command}
            isFirst={found[index - 1]?.group !== command.group}
            isChosen={index === at}
            onHover={() => setPlace(index)}
            onClick={() => run(command)}
          />
        ))}
      </div>
      {found.length === 0 && (
        <p className={classes.none}>{isLooking ? paletteTexts.looking : paletteTexts.none}</p>
      )}
      <p className={classes.hints} aria-hidden="true">
        <Kbd size="xs">{paletteTexts.enter}</Kbd> {paletteTexts.hints.open}
        <Kbd size="xs">
          {modKey} {paletteTexts.enter}
        </Kbd>{' '}
        {paletteTexts.hints.copy}
        <Kbd size="xs">{paletteTexts.escape}</Kbd> {paletteTexts.hints.close}
      </p>
    </>
  )
}

interface OptionProps {
  readonly id: string
  readonly command: Command
  /** The first of its group, so the name of the group is shown before it. */
  readonly isFirst: boolean
  readonly isChosen: boolean
  onHover(): void
  onClick(): void
}

/** The input handles the keys and keeps the focus. */
function Option({ id, command, isFirst, isChosen, onHover, onClick }: OptionProps) {
  const { group, label, hint, icon: Icon } = command
  return (
    <>
      {isFirst && (
        <div role="presentation" className={classes.group}>
          {paletteTexts.groups[group]}
        </div>
      )}
      {/* biome-ignore lint/a11y: an option of the list above, which the input moves through */}
      <div
        id={id}
        role="option"
        aria-selected={isChosen}
        className={classes.option}
        onMouseMove={onHover}
        onMouseDown={event => event.preventDefault()}
        onClick={onClick}
      >
        <Icon size={17} stroke={1.75} aria-hidden="true" />
        <span className={classes.label}>{label}</span>
        {hint && <span className={classes.hint}>{hint}</span>}
      </div>
    </>
  )
}

/** Keeps the chosen option in view. */
function useScrollTo(id: string): void {
  useEffect(() => {
    document.getElementById(id)?.scrollIntoView({ block: 'nearest' })
  }, [id])
}
