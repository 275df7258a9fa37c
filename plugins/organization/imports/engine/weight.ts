/** About how many bytes of memory a value takes. Beyond `most` it is not looked at further. */
export function weightOf(value: unknown, most: number): number {
  const left: unknown[] = [value]
  let weight = 0
  while (left.length > 0 && weight <= most) {
    const one = left.pop()
    weight += 16
    if (typeof one === 'string') weight += one.length
    else if (typeof one === 'object' && one !== null) {
      for (const name in one) {
        weight += name.length
        left.push(one[name as keyof typeof one])
        // What is in the list is there already: only how long it is counts.
        if (left.length * 16 > most) return weight + left.length * 16
      }
    }
  }
  return weight
}
