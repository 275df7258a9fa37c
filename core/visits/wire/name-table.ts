/** The name that a visit counts under. */
export interface CountName {
  readonly dimension: string
  /** At most 128 characters; '' if the dimension has only one value. */
  readonly value: string
  /** Whether it counts robots, which are in no link's total. */
  readonly bots: boolean
  /**
   * Whether links also have its sum of all time; decided when it is counted, because the plugin may be off when it is
   * folded.
   */
  readonly summed: boolean
  /** Whether marks belong to it; then its value is '' and it has no counts of its own. */
  readonly marked: boolean
}

/** Numbers names, from 0 up, so that counts refer to a number instead of three values. */
export interface NameTable {
  numberOf(name: CountName): number
  name(number: number): CountName
  /** How many names there are. */
  size(): number
}

/** Creates an empty table. No dimension counts both robots and people. */
export function createNameTable(): NameTable {
  const dimensions = new Map<string, Map<string, number>>()
  const names: CountName[] = []

  return {
    numberOf(name) {
      const values = dimensions.get(name.dimension) ?? new Map<string, number>()
      if (values.size === 0) dimensions.set(name.dimension, values)
      const known = values.get(name.value)
      if (known !== undefined) return known
      values.set(name.value, names.length)
      return names.push(name) - 1
    },
    name(number) {
      const name = names[number]
      if (name === undefined) throw new RangeError(`there is no name ${number}`)
      return name
    },
    size: () => names.length,
  }
}
