import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { addAccount } from '../core/accounts/fixtures.ts'
import type { Answer, Harness } from '../harness.ts'
import { operationsOf, type Placed, readDocument, type Schema } from './document.ts'
import { type Request, requestFor } from './requests.ts'
import { bootAll } from './whole-house.ts'

/** How many houses get eight requests each: the same ones every time, or `FUZZ_HOUSES` with others. */
const { FUZZ_HOUSES } = process.env
const runs = FUZZ_HOUSES ? { numRuns: Number(FUZZ_HOUSES) } : { numRuns: 60, seed: 20261120 }
const requestsAHouse = 8

let operations: readonly Placed[]

beforeAll(async () => {
  const house = await bootAll()
  operations = operationsOf(await readDocument(house))
  await house.stop()
})

it('answers whatever the document lets people think of, and only as it says', async () => {
  const statuses = new Map<number, number>()
  const request = fc.constantFrom(...operations).chain(requestFor)
  const requests = fc.array(request, { minLength: requestsAHouse, maxLength: requestsAHouse })
  await fc.assert(
    fc.asyncProperty(requests, async requests => {
      const house = await furnished()
      try {
        for (const request of requests) {
          const answer = await send(house, request)
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
          expectAsDescribed(request.placed, answer, house)
        }
      } finally {
        await house.stop()
      }
    }),
    runs,
  )
  // Nothing is shown when all was refused, or all was let through.
  for (const status of [200, 201, 204, 400, 404, 422]) {
    expect(statuses.get(status), `answers with ${status}`).toBeGreaterThan(3)
  }
}, 300_000)

/** A house in which the first of everything is there. */
async function furnished(): Promise<Harness> {
  const house = await bootAll()
  await house.create({ title: 'First', short_code: 'first' })
  await house.create({ archived: true })
  await house.api('POST', '/api-tokens', { name: 'CI', scopes: ['links:read'] })
  await addAccount(house.db)
  return house
}

function send(house: Harness, { placed, path, body, headers }: Request): Promise<Answer> {
  return house.api(placed.method, path, body, headers)
}

function expectAsDescribed({ method, path, operation }: Placed, answer: Answer, house: Harness) {
  const { status, headers, body } = answer
  const shown = `${method} ${path} answered ${status}: ${JSON.stringify(body)}\n${house.log.join('\n')}`
  const described = operation.responses[status]
  expect(status, shown).toBeLessThan(500)
  expect(described, `${shown}, which its description does not know`).toBeDefined()
  const [type, content] = Object.entries(described?.content ?? {})[0] ?? []
  expect(headers['content-type'], shown).toBe(type)
  if (content?.schema) expect(mistakesIn(content.schema, body), shown).toEqual([])
  else expect(body, shown).toBeUndefined()
  if (status >= 400) expect(body.status, shown).toBe(status)
}

const compiled = new Map<Schema, z.ZodType>()

/** How an answer differs from its JSON Schema, read back from the document. */
function mistakesIn(schema: Schema, body: unknown): readonly unknown[] {
  const known = compiled.get(schema) ?? z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema)
  compiled.set(schema, known)
  return known.safeParse(body).error?.issues ?? []
}
