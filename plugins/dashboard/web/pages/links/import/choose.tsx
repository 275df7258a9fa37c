import { Alert, Button, FileButton, Textarea } from '@mantine/core'
import { type DragEvent, useState } from 'react'
import { main } from '../../../api/instance/manifest.ts'
import { IconAlertCircle, IconFileImport } from '../../../shared/icons/icons.ts'
import { formatNumber } from '../../../shared/text/format.ts'
import { manyTexts } from '../../../texts/many.ts'
import classes from './import.module.css'
import { maxRows, readTable, type Table } from './read-table.ts'

/** The largest accepted file, in bytes. */
const maxBytes = 5 * 1_024 * 1_024

export interface ChooseProps {
  readonly text: string
  onType(text: string): void
  onChoose(table: Table): void
}

/** Paste addresses, or choose a file. */
export function Choose({ text, onType, onChoose }: ChooseProps) {
  const [problem, setProblem] = useState<string>()
  const take = (given: string) => {
    const table = readTable(given, main.schemes)
    if (table.rows.length === 0) return setProblem(manyTexts.nothing)
    if (table.rows.length > maxRows) return setProblem(manyTexts.tooMany(formatNumber(maxRows)))
    onChoose(table)
  }
  const takeFile = async (file: File | null | undefined) => {
    if (!file) return
    if (file.size > maxBytes) return setProblem(manyTexts.tooLarge)
    take(await file.text())
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    void takeFile(event.dataTransfer.files[0])
  }

  return (
    <form
      className={classes.card}
      onSubmit={event => {
        event.preventDefault()
        take(text)
      }}
      onDragOver={event => event.preventDefault()}
      onDrop={drop}
    >
      {problem && (
        <Alert color="linnet" variant="light" icon={<IconAlertCircle size={18} />} role="alert">
          {problem}
        </Alert>
      )}
      <Textarea
        label={manyTexts.addresses}
        description={manyTexts.addressesHint}
        placeholder={'example.com/a/long/address\nspring https://example.com/spring-sale'}
        autosize
        minRows={8}
        maxRows={20}
        spellCheck={false}
        autoFocus
        classNames={{ input: classes.code }}
        value={text}
        onChange={({ currentTarget }) => onType(currentTarget.value)}
      />
      <div className={classes.buttons}>
        <FileButton onChange={file => void takeFile(file)} accept=".csv,.tsv,.txt,text/csv">
          {props => (
            <Button {...props} variant="default" leftSection={<IconFileImport size={18} />}>
              {manyTexts.chooseFile}
            </Button>
          )}
        </FileButton>
        <span className={classes.hint}>{manyTexts.dropHint}</span>
        <Button type="submit" disabled={text.trim() === ''}>
          {manyTexts.toPreview}
        </Button>
      </div>
    </form>
  )
}
