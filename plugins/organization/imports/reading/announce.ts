import type { Item, LinkItem } from '../source.ts'

/** After so many names they are said again: a file may have any number. */
const remembered = 50_000

/** Puts each host and tag before the first link that has it, and yields it once. */
export async function* announce(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const said = new Set<string>()
  for await (const item of items) {
    const all = item.kind === 'link' ? [...hostAndTags(item), item] : [item]
    for (const it of all) {
      const key = keyOf(it)
      if (key !== undefined) {
        if (said.has(key)) continue
        if (said.size >= remembered) said.clear()
        said.add(key)
      }
      yield it
    }
  }
}

function hostAndTags({ row, host, tags = [] }: LinkItem): readonly Item[] {
  return [
    ...(host === null ? [] : [{ kind: 'host', row, host } as const]),
    ...tags.map(name => ({ kind: 'tag', row, name }) as const),
  ]
}

function keyOf(item: Item): string | undefined {
  if (item.kind === 'host') return `host ${item.host ?? ''}`
  return item.kind === 'tag' ? `tag ${item.name}` : undefined
}
