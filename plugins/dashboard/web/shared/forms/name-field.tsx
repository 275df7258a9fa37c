import { TextInput, type TextInputProps } from '@mantine/core'
import { useFocusFirst } from './use-focus-first.ts'

/** The first input of a form: the name of a thing. */
export function NameField(props: TextInputProps) {
  const first = useFocusFirst()
  return (
    <TextInput ref={first} data-autofocus maxLength={100} autoComplete="off" required {...props} />
  )
}
