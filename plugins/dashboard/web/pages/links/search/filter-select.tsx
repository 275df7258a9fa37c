import { ChooseOne } from '../../../shared/choices/choose-one.tsx'

interface FilterSelectProps {
  readonly label: string
  /** The label when nothing is chosen. */
  readonly any: string
  readonly options: readonly (string | { readonly value: string; readonly label: string })[]
  readonly value: string | undefined
  onChange(value: string | null): void
}

/** A filter by something of the account, such as a tag. Hidden if there are none. */
export function FilterSelect({ label, any, options, value, onChange }: FilterSelectProps) {
  if (options.length === 0) return null
  return (
    <ChooseOne
      aria-label={label}
      placeholder={any}
      data={options}
      value={value ?? null}
      onChange={onChange}
      clearable
    />
  )
}
