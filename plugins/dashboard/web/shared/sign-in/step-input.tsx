import { Button, Text, TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import type { StepDue } from '../../api/client/second-step.ts'
import { panelTexts } from '../../texts/panels.ts'
import { signInTexts } from '../../texts/settings.ts'
import { CodeBlock } from '../copy/code-block.tsx'
import { Picture } from '../shown/picture.tsx'

interface StepInputProps extends TextInputProps {
  readonly due: StepDue
}

/** The question of a second step, with what it shows, and an input for its answer; without one, if a button is the answer. */
export function StepInput({ due, ...props }: StepInputProps) {
  return (
    <>
      {due.picture && <Picture uri={due.picture} />}
      {due.copy && <CodeBlock code={due.copy} copyLabel={panelTexts.copy(due.label)} />}
      <Answer due={due} {...props} />
    </>
  )
}

function Answer({ due: { text, kind }, ...props }: StepInputProps) {
  if (kind === 'confirm' || kind === 'passkey') return <Text size="sm">{text}</Text>
  if (kind === 'code') return <CodeInput label={text} {...props} />
  return <TextInput label={text} autoComplete="off" required data-autofocus {...props} />
}

/** Codes are digits most of the time. The keyboard of a phone shows these alone until somebody asks for letters. */
function CodeInput(props: TextInputProps) {
  const [hasLetters, setHasLetters] = useState(false)
  return (
    <>
      <TextInput
        autoComplete="one-time-code"
        inputMode={hasLetters ? 'text' : 'numeric'}
        autoCapitalize="none"
        spellCheck={false}
        required
        data-autofocus
        {...props}
      />
      {isTouched() && (
        <Button variant="subtle" size="compact-sm" onClick={() => setHasLetters(!hasLetters)}>
          {hasLetters ? signInTexts.digits : signInTexts.letters}
        </Button>
      )}
    </>
  )
}

function isTouched(): boolean {
  return matchMedia('(pointer: coarse)').matches
}
