import type { Item, LinkItem } from '../source.ts'
import { createSeen } from './seen.ts'

/** Puts each host, tag and campaign before the first link that has it, and yields it once. */
export async function* announce(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const said = createSeen()
  for await (const item of items) {
    const all = item.kind === 'link' ? [...namesOf(item), item] : [item]
    for (const it of all) {
      const key = keyOf(it)
      if (key === undefined || said.add(key)) yield it
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
