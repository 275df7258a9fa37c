/**
 * Packs the counts of an hour like `core/visits/tables/packed-counts.ts`, which plain Node cannot import; a
 * test keeps the two the same. `counts` are dimension, value and count in turn, in ascending order.
 */
export function packCounts(bucket, counts) {
  const bytes = [1]
  number(bytes, bucket)
  let last = 0
  for (let from = 0, to = 0; from < counts.length; from = to) {
    const dimension = counts[from]
    const pairs = []
    for (let value = 0; counts[to] === dimension; to += 3) {
      const count = counts[to + 2]
      number(pairs, (counts[to + 1] - value) * 2 + (count === 1 ? 1 : 0))
      if (count !== 1) number(pairs, count * 2)
      value = counts[to + 1]
    }
    const isOne = to - from === 3
    number(bytes, (dimension - last) * 2 + (isOne ? 1 : 0))
    if (!isOne) number(bytes, pairs.length)
    for (const byte of pairs) bytes.push(byte)
    last = dimension
  }
  return Buffer.from(bytes)
}

function number(bytes, value) {
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  bytes.push(rest)
}
