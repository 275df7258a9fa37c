import type { OwnContext } from './entries.ts'
import type { filtered } from './filters.ts'
import { showWithAddress } from './show.ts'

/** How many entries are read at once: each may have all rules of a link. */
const together = 100

/** Entries as lines of JSON, from the oldest to the newest. */
export async function* linesOf(
  all: ReturnType<typeof filtered>,
  context: OwnContext,
): AsyncIterable<string> {
  for (let after = 0; ; ) {
    const some = all.selectAll().where('id', '>', after).orderBy('id').limit(together)
    const rows = await some.execute()
    for (const entry of await showWithAddress(rows, context)) yield `${JSON.stringify(entry)}\n`
    const last = rows.at(-1)
    if (!last) {
      // A file of no bytes is no answer to some clients.
      if (after === 0) yield '\n'
      return
    }
    after = Number(last.id)
  }
}
