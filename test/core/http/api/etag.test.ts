import { describe, expect, it } from 'vitest'
import { checkIfMatch, etagOf, isKnown, versionedReply } from '../../../../core/http/api/etag.ts'

describe('an ETag', () => {
  it('is another for another version, and when anything else is shown', () => {
    const first = etagOf(1, { visits: 0 })
    expect(first).toMatch(/^"1\.[\da-f]{16}"$/)
    expect(etagOf(1, { visits: 0 })).toBe(first)
    expect(etagOf(1, { visits: 1 })).not.toBe(first)
    expect(etagOf(2, { visits: 0 })).not.toBe(first)
  })
})

describe('If-Match', () => {
  it.each(['"5"', '"5.abc"', 'W/"5.abc"', '"4.abc", W/"5.abd"', '*', ' * '])(
    '%s is version 5',
    header => {
      expect(checkIfMatch(header, 5)).toBeUndefined()
    },
  )

  it.each(['"4.abc"', '"55"', '5', 'W/5', '', '"abc.5"', 'w/"5"'])('%s is not', header => {
    expect(checkIfMatch(header, 5)?.status).toBe(412)
  })
})

describe('If-None-Match', () => {
  it.each(['"5.abc"', 'W/"5.abc"', '"4.x", W/"5.abc"', '*'])('%s is known', header => {
    expect(isKnown(header, '"5.abc"')).toBe(true)
  })

  it.each([undefined, '', '"5"', '"5.abd"', '5.abc'])('%s is not', header => {
    expect(isKnown(header, '"5.abc"')).toBe(false)
  })
})

it('an ETag is sent with the answer that it is made of, which is written as JSON once', () => {
  const data = { visits: 0 }
  const { body, json = '', headers } = versionedReply(1, data, { Location: '/things/1' })
  expect(JSON.parse(String(json))).toEqual(body)
  expect(headers).toEqual({ ETag: etagOf(1, data), Location: '/things/1' })
})
