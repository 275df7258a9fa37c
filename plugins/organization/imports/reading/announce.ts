import type { Item, LinkItem } from '../source.ts'

/** After so many names they are said again: a file may have any number. */
const remembered = 50_000

/** Puts each host, tag and campaign before the first link that has it, and yields it once. */
export async function* announce(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const said = new Set<string>()
  for await (const item of items) {
    const all = item.kind === 'link' ? [...namesOf(item), item] : [item]
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

function namesOf({ row, host, tags = [], campaign }: LinkItem): readonly Item[] {
  return [
    ...(host === null ? [] : [{ kind: 'host', row, host } as const]),
    ...tags.map(name => ({ kind: 'tag', row, name }) as const),
    ...(campaign ? [{ kind: 'campaign', row, name: campaign } as const] : []),
  ]
}

function keyOf(item: Item): string | undefined {
  if (item.kind === 'host') return `host ${item.host ?? ''}`
  const isNamed = item.kind === 'tag' || item.kind === 'campaign'
  return isNamed ? `${item.kind} ${item.name}` : undefined
}
