import { describe, expect, it } from 'vitest'
import {
  openAnswer,
  renderAnswer,
  sealAnswer,
} from '../../../../../core/http/api/repeat/kept-answer.ts'
import { handledBy } from '../../serve.ts'

const route = handledBy(() => ({}))
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
    const rendered = renderAnswer(route, answer)
    expect(openAnswer(sealAnswer(rendered, 'key'), 'key')).toEqual(rendered)
  })

  it('cannot be read where it is kept, nor with another key', () => {
    const sealed = sealAnswer(renderAnswer(route, secret), 'key')
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
})
