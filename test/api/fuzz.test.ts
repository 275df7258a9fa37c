import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { isNight } from '../at-night.ts'
import { addAccount } from '../core/accounts/add-account.ts'
import type { Answer, Harness } from '../harness.ts'
import { unmatchableHash } from '../inside.ts'
import { operationsOf, type Placed, readDocument, type Schema } from './document.ts'
import { type Request, requestFor } from './requests.ts'
import { bootAll } from './whole-instance.ts'

const requestsAnInstance = isNight ? 10 : 40

let operations: ReadonlyMap<string, Placed>

beforeAll(async () => {
  const linnet = await bootAll()
  const all = operationsOf(await readDocument(linnet))
  operations = new Map(all.map(placed => [placed.operation.operationId, placed]))
  await linnet.stop()
})

it('the API answers whatever the document lets people think of, and only as it says', async () => {
  const statuses = new Map<number, number>()
  for (const together of groupsOf([...operations.values()])) {
    await fc.assert(
      fc.asyncProperty(fc.tuple(...together.map(requestFor)), async requests => {
        const linnet = await filledInstance()
        try {
          for (const request of requests) {
            const { method, path, body, headers } = request
            const answer = await linnet.api(method, path, body, headers)
            statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
            expectAsDescribed(request, answer, linnet)
          }
        } finally {
          await linnet.stop()
        }
      }),
      // With fewer, not every status would come.
      { numRuns: isNight ? 20 : 2 },
    )
  }
  // The test proves nothing if all requests were refused, or all accepted.
  for (const status of [200, 201, 204, 400, 404, 422]) {
    expect(statuses.get(status) ?? 0, `answers with ${status}`).toBeGreaterThan(0)
  }
}, 900_000)

/** The operations whose requests an instance gets: of all kinds in each group, because neighbours are alike. */
function groupsOf(all: readonly Placed[]): readonly (readonly Placed[])[] {
  const count = Math.ceil(all.length / requestsAnInstance)
  return Array.from({ length: count }, (_, group) => all.filter((_, at) => at % count === group))
}

/** An instance with one of everything. */
async function filledInstance(): Promise<Harness> {
  const linnet = await bootAll()
  await linnet.create({ title: 'First', short_code: 'first' })
  await linnet.create({ archived: true })
  await linnet.api('POST', '/api-tokens', { name: 'CI', scopes: ['links:read'] })
  await addAccount(linnet.db)
  // No password matches this hash: a successful change would end the session of all later requests.
  await linnet.db.updateTable('accounts').set({ password_hash: unmatchableHash() }).execute()
  return linnet
}

function expectAsDescribed(request: Request, { status, headers, body }: Answer, linnet: Harness) {
  const shown = `${request.id} answered ${status}: ${JSON.stringify(body)}\n${linnet.log.join('\n')}`
  const described = operations.get(request.id)?.operation.responses[status]
  expect(status, shown).toBeLessThan(500)
  expect(described, `${shown}, which its description does not know`).toBeDefined()
  const content = Object.entries(described?.content ?? {})
  const type = headers['content-type']?.toString().split(';')[0]
  if (content.length === 0) expect([type, body], shown).toEqual([undefined, undefined])
  else
    expect(
      content.map(([name]) => name),
      shown,
    ).toContain(type)
  const schema = described?.content?.[type ?? '']?.schema
  // A file arrives as bytes.
  const said = Buffer.isBuffer(body) ? String(body) : body
  if (schema) expect(mistakesIn(schema, said), shown).toEqual([])
  expect(undeclared(headers, described?.headers), shown).toEqual([])
  if (status >= 400) expect(body.status, shown).toBe(status)
}

/** The headers that a client may act on. */
const telling = [
  ...['etag', 'link', 'location', 'ratelimit', 'ratelimit-policy', 'retry-after'],
  ...['www-authenticate', 'idempotent-replayed', 'x-request-id'],
]

function undeclared(headers: Answer['headers'], described: object = {}): readonly string[] {
  const names = Object.keys(described).map(name => name.toLowerCase())
  return telling.filter(name => name in headers && !names.includes(name))
}

const compiled = new Map<Schema, z.ZodType>()

/** How an answer differs from the JSON Schema of the document. */
function mistakesIn(schema: Schema, body: unknown): readonly unknown[] {
  const known = compiled.get(schema) ?? z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema)
  compiled.set(schema, known)
  return known.safeParse(body).error?.issues ?? []
}
