import { type Json, toggle } from '../../../../core/plugin.ts'
import type { Asked, Item } from '../source.ts'

/** Gives each link what all links of the program have, unless it has something else. */
export async function* forAllLinks(
  items: AsyncIterable<Item>,
  fields: Readonly<Record<string, Json>>,
): AsyncGenerator<Item> {
  for await (const item of items) {
    yield item.kind === 'link' ? { ...item, fields: { ...fields, ...item.fields } } : item
  }
}

/** Asks whether links redirect with a status that browsers keep, as they do there. */
export function keepsStatusField(label: string) {
  return toggle({
    label,
    hint: 'Browsers keep that, and their later visits are not counted. Otherwise links redirect as others here do.',
    default: false,
  })
}

/** The status of all links, if people want to keep that of the program. */
export function keptStatus(
  { settings }: Asked,
  redirectStatus: 301 | 308,
): Readonly<Record<string, Json>> {
  return settings.keepsStatus === true ? { redirectStatus } : {}
}
