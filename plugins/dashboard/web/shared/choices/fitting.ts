import type { ComboboxItem, OptionsFilter } from '@mantine/core'

/** The options that match what is typed: exact matches first, then those that begin with it. */
export const fitting: OptionsFilter = ({ options, search }) => {
  const wanted = search.trim().toLowerCase()
  return options
    .flatMap(option => ('value' in option ? { option, rank: rankOf(option, wanted) } : []))
    .filter(({ rank }) => rank < noFit)
    .sort((one, other) => one.rank - other.rank)
    .map(({ option }) => option)
}

const noFit = 3

/** A code, such as `de`, may stand for its name. */
function rankOf({ value, label }: ComboboxItem, wanted: string): number {
  const name = label.toLowerCase()
  if (name === wanted || value.toLowerCase() === wanted) return 0
  if (name.startsWith(wanted)) return 1
  return name.includes(wanted) ? 2 : noFit
}
