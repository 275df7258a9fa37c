import { describe, expect, it } from 'vitest'
import { openApi } from '../../../../../plugins/organization/imports/reading/api.ts'
import { SourceError } from '../../../../../plugins/organization/imports/source.ts'
import { type Answer, fetch, serve } from '../api-server.ts'
import { asked } from '../from-text.ts'

const key = 'key-that-nobody-may-see'

/** An API that gives these answers, one after another, and the last one from then on. */
async function answering(...answers: readonly Answer[]) {
  let count = 0
  const server = await serve(() => answers[Math.min(count++, answers.length - 1)] as Answer)
  const given = {
    ...{ name: 'Fox', base: `${server.base}/`, firstWaitMs: 1 },
    headers: { Authorization: `Bearer ${key}` },
  }
  return { server, given, api: openApi(asked({ fetch }), given) }
}

async function problemOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((it: unknown) => it)
  expect(error).toBeInstanceOf(SourceError)
  const { message } = error as SourceError
  expect(message).not.toContain(key)
  expect(message).toMatch(/^[A-Z0-9].*[.?]$/)
  return message
}

const fine: Answer = { json: { ok: true } }

describe('an API that is asked with patience', () => {
  it('is asked with its headers and query, and answers with JSON', async () => {
    const { api, server } = await answering(fine)
    expect(await api.get('/links', { size: 2, after: undefined, q: 'a b' })).toEqual({ ok: true })
    expect(server.got).toMatchObject([
      {
        ...{ path: '/links', query: { size: '2', q: 'a b' } },
        headers: { accept: 'application/json', authorization: `Bearer ${key}` },
      },
    ])
  })

  it.each<[string, Answer]>([
    ['fails', { status: 500, text: 'Oh' }],
    ['is not there', { status: 503, headers: { 'retry-after': '1' }, text: '' }],
    ['cuts the connection', { ...fine, headers: { 'content-length': '500' }, isCut: true }],
    ['answers with half of its JSON', { text: '{"ok": tr' }],
    ['answers with a page', { text: '<html>' }],
    ['has too many requests', { status: 429, text: '' }],
    ['says when to come back', { status: 429, headers: { 'retry-after': '0' }, text: '' }],
    [
      'says so by a date that has passed',
      { status: 429, headers: { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, text: '' },
    ],
  ])('is asked again when it %s', async (_, answer) => {
    const { api, server } = await answering(answer, answer, fine)
    expect(await api.get('/links')).toEqual({ ok: true })
    expect(server.got).toHaveLength(3)
  })

  it('takes out control characters that no JSON may have', async () => {
    const { api } = await answering({ text: '{"title": "Fox\u0000 and\n\u001bhen"}' })
    expect(await api.get('/links')).toEqual({ title: 'Fox  and  hen' })
  })

  it('ends without the answer that need not be there', async () => {
    const { api } = await answering({ status: 403, json: {} })
    expect(await api.get('/clicks', {}, [402, 403])).toBeUndefined()
  })
})

describe('an API that gives nothing', () => {
  it.each<[number, RegExp]>([
    [401, /^Fox \(127\.0\.0\.1:\d+\) does not accept the key\. Make a new one there/],
    [403, /refuses \/links: the key may not read it/],
    [404, /^127\.0\.0\.1:\d+ has no \/links\. Is it the address of Fox\?$/],
    [418, /answers \/links with 418\.$/],
  ])('is asked once, and its %i becomes a sentence', async (status, sentence) => {
    const { api, server } = await answering({ status, json: { message: key } })
    expect(await problemOf(api.get('/links'))).toMatch(sentence)
    expect(server.got).toHaveLength(1)
  })

  it.each<[string, Answer, RegExp]>([
    [
      'fails',
      { status: 502, text: '' },
      /fails with 502, at \/links\. Start the import again later/,
    ],
    [
      'cuts each connection',
      { ...fine, headers: { 'content-length': '500' }, isCut: true },
      /fails: .* does not answer/,
    ],
    ['is no API', { text: '<html>' }, /does not answer with JSON/],
    [
      'answers with millions of values',
      { text: `[${'[],'.repeat(250_000)}[]]` },
      /does not answer with JSON/,
    ],
    [
      'says more than is read',
      { text: `"${'x'.repeat(8 * 2 ** 20)}"` },
      /answers with more than 8 MiB at once, at \/links\./,
    ],
  ])('is left after some tries, when it %s', async (_, answer, sentence) => {
    const { api, server } = await answering(answer)
    expect(await problemOf(api.get('/links'))).toMatch(sentence)
    expect(server.got).toHaveLength(6)
  })

  it('is read no further than there is memory for, or counts as too large where fewer can be asked for', async () => {
    const { given } = await answering({ text: `"${'x'.repeat(3 * 2 ** 20)}"` })
    const [tight, usual] = [127, 192].map(mebibytes => openApi(asked({ fetch }), given, mebibytes))
    expect(await problemOf(tight?.get('/links') as Promise<unknown>)).toMatch(/more than 2 MiB/)
    expect(await tight?.get('/links', {}, [413])).toBeUndefined()
    expect(await usual?.get('/links')).toHaveLength(3 * 2 ** 20)
  })

  it('is not waited for a day', async () => {
    const { api } = await answering({ status: 429, headers: { 'retry-after': '86400' }, text: '' })
    expect(await problemOf(api.get('/links'))).toMatch(
      /asks to wait for 1440 minutes\. Start the import again after that/,
    )
  })

  it('is not asked for ever, if it always wants another request', async () => {
    const { api, server } = await answering({
      status: 429,
      headers: { 'retry-after': '0' },
      text: '',
    })
    expect(await problemOf(api.get('/links'))).toMatch(/refuses more requests for now/)
    expect(server.got).toHaveLength(17)
  })

  it('is not waited for when the import is stopped', async () => {
    const { given } = await answering({ status: 429, headers: { 'retry-after': '3000' }, text: '' })
    const stop = new AbortController()
    const reading = openApi(asked({ fetch, signal: stop.signal }), given).get('/links')
    setTimeout(() => stop.abort(), 20)
    await expect(reading).rejects.toThrow(/abort/)
  })

  it('is told from one that may not be asked', async () => {
    const { given } = await answering(fine)
    const closed = asked({ fetch: url => fetch(url.replace('http:', 'ftp:')) })
    expect(await problemOf(openApi(closed, given).get('/links'))).toMatch(/Only http and https/)
  })
})
