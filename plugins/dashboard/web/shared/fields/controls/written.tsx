import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../../texts.ts'
import { type ControlProps, inputProps } from '../control-props.ts'
import classes from '../fields.module.css'
import { isSame } from '../values.ts'

/** Several texts, one per line. */
export function Lines(props: ControlProps) {
  return <Written {...props} read={readLines} write={writeLines} note={texts.fields.eachLine} />
}

/** Anything that has no input of its own. */
export function Json(props: ControlProps) {
  return <Written {...props} read={readJson} write={writeJson} note={texts.fields.json} isCode />
}

interface WrittenProps extends ControlProps {
  readonly note: string
  readonly isCode?: boolean
  /** Null for an empty text. */
  read(text: string): unknown
  write(value: unknown): string
}

/** A value that is written as text. The text stays as it was typed, because the value has lost its details. */
function Written({ write, note, isCode = false, ...props }: WrittenProps) {
  const { description, ...input } = inputProps(props)
  const read = (text: string) => props.read(text) ?? props.field.empty
  const [text, setText] = useState(() => write(props.value))
  const shown = isSame(read(text), props.value) ? text : write(props.value)
  return (
    <Textarea
      {...input}
      description={[description, note].filter(Boolean).join(' ')}
      autosize
      minRows={3}
      maxRows={16}
      spellCheck={!isCode}
      {...(isCode && { classNames: { input: classes.code } })}
      value={shown}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        props.onChange(read(currentTarget.value))
      }}
    />
  )
}

function readLines(text: string): readonly string[] | null {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  return lines.length > 0 ? lines : null
}

function writeLines(value: unknown): string {
  return Array.isArray(value) ? value.join('\n') : ''
}

/** Text that is not valid JSON is sent as a string, so that the API reports what it expects. */
function readJson(text: string): unknown {
  if (text.trim() === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function writeJson(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
