import { TextInput, type TextInputProps } from '@mantine/core'
import { withScheme } from '../text/with-scheme.ts'

export interface AddressInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value?: string
  onChange(text: string): void
}

/**
 * An input for an address, with a keyboard for addresses on phones. An address that begins with a host gets
 * `https://` when one leaves the input.
 */
export function AddressInput({ value = '', onChange, ...props }: AddressInputProps) {
  const complete = () => {
    const whole = withScheme(value)
    if (whole !== value) onChange(whole)
  }
  return (
    <TextInput
      placeholder="https://"
      {...props}
      type="url"
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onBlur={complete}
      onKeyDown={({ key }) => key === 'Enter' && complete()}
    />
  )
}
