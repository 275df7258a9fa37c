import { afterEach, beforeEach, expect, it } from 'vitest'
import annotations from '../../../plugins/analytics/annotations.ts'
import visitsTracking from '../../../plugins/analytics/visits-tracking.ts'
import { aPerson } from '../../api/people.ts'
import { boot, type Harness } from '../../harness.ts'

let linnet: Harness
beforeEach(async () => {
  linnet = await boot([visitsTracking, annotations])
})
afterEach(() => linnet.stop())

async function annotate(day: string, text: string) {
  const { status, body } = await linnet.api('POST', '/annotations', { day, text })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data
}

async function days(query = '') {
  const { status, body } = await linnet.api('GET', `/annotations${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.map(({ day, text }: { day: string; text: string }) => `${day} ${text}`)
}

it('a day is annotated, more than once, and found by its span', async () => {
  const made = await annotate('2026-11-20', '  Newsletter sent ')
  expect(made).toEqual({
    id: expect.stringMatching(/^ann_/),
    day: '2026-11-20',
    text: 'Newsletter sent',
  })
  await annotate('2026-11-01', 'Sale')
  await annotate('2026-11-20', 'Radio')
  const all = await days()
  expect(all[0]).toBe('2026-11-01 Sale')
  expect(all.slice(1).toSorted()).toEqual(['2026-11-20 Newsletter sent', '2026-11-20 Radio'])
  expect(await days('?from=2026-11-01&to=2026-11-01')).toEqual(['2026-11-01 Sale'])
  expect(await days('?from=2026-11-02')).toHaveLength(2)
  expect(await days('?from=2026-11-21')).toEqual([])
})

it('an annotation is changed where nobody else did, and deleted', async () => {
  const { id } = await annotate('2026-11-20', 'Sale')
  const path = `/annotations/${id}`
  const { headers } = await linnet.api('GET', path)
  const stale = { 'if-match': String(headers.etag) }
  const changed = await linnet.api('PATCH', path, { text: 'Sale ends' }, stale)
  expect(changed.body.data).toEqual({ id, day: '2026-11-20', text: 'Sale ends' })
  expect((await linnet.api('PATCH', path, { day: '2026-11-21' }, stale)).status).toBe(412)
  expect((await linnet.api('DELETE', path, undefined, stale)).status).toBe(412)
  expect((await linnet.api('PATCH', path, { day: '2026-11-21' })).body.data.text).toBe('Sale ends')
  expect((await linnet.api('DELETE', path)).status).toBe(204)
  expect((await linnet.api('DELETE', path)).status).toBe(404)
  expect(await days()).toEqual([])
})

it.each([
  ['no day', { text: 'x' }, 'day'],
  ['a day that does not exist', { day: '2026-02-30', text: 'x' }, 'day'],
  ['a moment', { day: '2026-11-20T12:00:00Z', text: 'x' }, 'day'],
  ['nothing', { day: '2026-11-20', text: '  ' }, 'text'],
  ['too much', { day: '2026-11-20', text: 'x'.repeat(201) }, 'text'],
])('one with %s is not kept', async (_, body, field) => {
  expect(await linnet.api('POST', '/annotations', body)).toMatchObject({
    status: 422,
    body: { errors: [{ field }] },
  })
  expect(await days()).toEqual([])
})

it('nobody sees or changes those of others', async () => {
  const { id } = await annotate('2026-11-20', 'Secret')
  const stranger = await (await aPerson(linnet)).session()
  expect((await linnet.api('GET', '/annotations', undefined, stranger)).body.data).toEqual([])
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const body = method === 'PATCH' ? { text: 'x' } : undefined
    expect((await linnet.api(method, `/annotations/${id}`, body, stranger)).status).toBe(404)
  }
  expect(await days()).toEqual(['2026-11-20 Secret'])
})

it('an account has ten thousand annotations, and not one more', async () => {
  const { db, account } = linnet
  for (let id = 1; id < 10_000; id += 1_000) {
    const count = Math.min(1_000, 10_000 - id)
    const rows = Array.from({ length: count }, (_, n) => ({
      ...{ id: id + n, account_id: account.rowId },
      ...{ day: '2026-11-20', text: 'Sale' },
    }))
    await db
      .insertInto('analytics_annotations' as 'meta')
      .values(rows as never)
      .execute()
  }
  await annotate('2026-11-21', 'The last one')
  expect(
    await linnet.api('POST', '/annotations', { day: '2026-11-22', text: 'Late' }),
  ).toMatchObject({
    status: 403,
    body: { code: 'limit_reached' },
  })
})
