import { type MountRequest, type Refusal, refusalOf, z } from '../../../core/plugin.ts'

const meta = z.object({ nextCursor: z.string().nullable() }).optional()

/** All of a list of the API. Where the plugin for it is off, there are none. */
export async function readAll<T>(
  call: MountRequest['call'],
  path: string,
  thing: z.ZodType<T>,
  options: Readonly<Record<string, string>> = {},
): Promise<readonly T[] | Refusal> {
  const listed = z.object({ data: z.array(thing), meta })
  const all: T[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = new URLSearchParams({ ...options, ...(cursor && { cursor }) })
    const called = await call('GET', `${path}?${query}`)
    if (called.status === 404) break
    if (called.status !== 200) return refusalOf(called)
    const page = listed.parse(called.body)
    all.push(...page.data)
    cursor = page.meta?.nextCursor ?? null
  }
  return all
}
