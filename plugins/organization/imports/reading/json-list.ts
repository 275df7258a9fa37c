/** What is longer is nothing that is read. */
const longest = 1_000_000

/**
 * The things of a list at the top of a JSON file, one after another as their texts, however large the file is. One that is too long
 * is empty. Returns whether the file has such a list, and all of it.
 */
export async function* textsInList(
  bytes: AsyncIterable<Uint8Array>,
  list: string,
): AsyncGenerator<string, boolean> {
  const decoder = new TextDecoder()
  let depth = 0
  let inText = false
  let isEscaped = false
  /** The text that was read last at the top. */
  let name = ''
  let isIn = false
  let isWhole = false
  let item = ''
  let isLong = false

  for await (const part of bytes) {
    const text = decoder.decode(part, { stream: true })
    let from = 0
    const take = (to: number) => {
      isLong ||= item.length + to - from > longest
      item = isLong ? '' : item + text.slice(from, to)
      from = to + 1
    }
    for (let at = 0; at < text.length; at += 1) {
      const sign = text[at] ?? ''
      if (depth === 0 && sign !== '{') {
        if (sign.trim() === '') continue
        return false
      }
      if (inText) {
        if (isEscaped) isEscaped = false
        else if (sign === '\\') isEscaped = true
        else if (sign === '"') inText = false
        if (inText && depth === 1 && name.length < list.length + 1) name += sign
      } else if (sign === '"') {
        inText = true
        if (depth === 1) name = ''
      } else if (sign === '[' || sign === '{') {
        if (depth === 1 && sign === '[' && name === list) {
          isIn = true
          from = at + 1
        }
        depth += 1
      } else if (sign === ']' || sign === '}') {
        depth -= 1
        if (!isIn || depth > 1) continue
        take(at)
        if (isLong || item.trim() !== '') yield item
        ;[item, isLong, isIn, isWhole] = ['', false, false, true]
      } else if (sign === ',' && isIn && depth === 2) {
        take(at)
        yield item
        ;[item, isLong] = ['', false]
      }
    }
    if (isIn) take(text.length)
  }
  return isWhole && depth === 0
}
