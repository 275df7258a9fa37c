/** What a visit counts under. */
export interface CountName {
  readonly dimension: string
  /** At most 128 characters; '' where the dimension has only one. */
  readonly value: string
  /** It counts robots, which are in no link's total. */
  readonly bots: boolean
  /** Links also have its sum of all time; said when it is counted, for it may be off when it is folded. */
  readonly summed: boolean
  /** Marks are left under it, and it is counted as little as its value, which is ''. */
  readonly marked: boolean
}

/** Numbers names, from 0 up: counts then go by a number instead of three values. */
export interface NameTable {
  numberOf(name: CountName): number
  name(number: number): CountName
  /** How many there are. */
  size(): number
}

/** An empty one. Robots and people are never counted by one dimension. */
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
