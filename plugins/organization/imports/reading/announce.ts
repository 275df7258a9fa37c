import type { Item, LinkItem } from '../source.ts'

/** After so many names they are said again: a file may have any number. */
const remembered = 50_000

/** Puts each host and tag before the first link that has it, unless it was yielded before. */
export async function* announce(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const said = new Set<string>()
  for await (const item of items) {
    if (item.kind === 'host') said.add(hostKey(item.host))
    if (item.kind === 'tag') said.add(tagKey(item.name))
    if (item.kind === 'link') {
      for (const [key, first] of namesOf(item)) {
        if (said.has(key)) continue
        if (said.size >= remembered) said.clear()
        said.add(key)
        yield first
      }
    }
    yield item
  }
}

function namesOf({ row, host, tags = [] }: LinkItem): readonly (readonly [string, Item])[] {
  return [
    ...(host === null ? [] : [[hostKey(host), { kind: 'host', row, host }] as const]),
    ...tags.map(name => [tagKey(name), { kind: 'tag', row, name }] as const),
  ]
}

function hostKey(host: string | null): string {
  return `host ${host ?? ''}`
}

function tagKey(name: string): string {
  return `tag ${name}`
}
