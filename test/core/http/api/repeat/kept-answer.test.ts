import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import {
  asSent,
  type KeptAnswer,
  openAnswer,
  renderAnswer,
  sealAnswer,
} from '../../../../../core/http/api/repeat/kept-answer.ts'
import type { Reply } from '../../../../../core/http/api/route/route.ts'
import { handledBy } from '../../serve.ts'

const route = handledBy(() => ({}))
const rendered = (reply: Reply): KeptAnswer => {
  const answer = renderAnswer(route, reply)
  if (!answer) throw new Error('It is not kept.')
  return answer
}
const secret = {
  body: { data: { token: 'lnt_shown_once' } },
  headers: { ETag: '"1"' },
  status: 201,
}

describe('an answer', () => {
  it.each([
    ['JSON', secret],
    ['nothing', { status: 204 }],
    ['text', { body: 'a,b', headers: { 'Content-Type': 'text/csv' } }],
    ['bytes', { body: Uint8Array.of(0, 255, 128), headers: { 'Content-Type': 'image/png' } }],
  ])('of %s comes out as it went in', (_, answer) => {
    const kept = rendered(answer)
    expect(openAnswer(sealAnswer(kept, 'key'), 'key')).toEqual(kept)
  })

  it('cannot be read where it is kept, nor with another key', () => {
    const sealed = sealAnswer(rendered(secret), 'key')
    expect(sealed.toString('latin1')).not.toContain('lnt_')
    expect(() => openAnswer(sealed, 'other')).toThrow()
  })

  it('is rendered as it is sent', () => {
    expect(renderAnswer(route, secret)).toEqual({
      status: 201,
      headers: { 'Content-Type': 'application/json', ETag: '"1"' },
      body: Buffer.from('{"data":{"token":"lnt_shown_once"}}'),
    })
  })

  const csv = { headers: { 'Content-Type': 'text/csv' } }
  const most = 256 * 1024
  it.each<[string, boolean, Reply]>([
    ['256 KiB of text', true, { ...csv, body: 'x'.repeat(most) }],
    ['a byte more, of a letter with two', false, { ...csv, body: `ß${'x'.repeat(most - 1)}` }],
    ['256 KiB of JSON', true, { body: 'x'.repeat(most - 2) }],
    ['a byte more of JSON', false, { body: 'x'.repeat(most - 1) }],
    ['a stream', false, { ...csv, body: Readable.from('a,b') }],
  ])('of %s: is it kept? %s', (_, isKept, reply) => {
    expect(renderAnswer(route, reply) !== undefined).toBe(isKept)
  })

  it('becomes JSON once, and only if it is JSON that is sent', () => {
    const answer = { body: { data: 1 } }
    expect(asSent(answer)).toEqual({ ...answer, json: '{"data":1}' })
    for (const as of [asSent(answer), { ...csv, body: 'a,b' }, {}]) expect(asSent(as)).toBe(as)
  })
})
