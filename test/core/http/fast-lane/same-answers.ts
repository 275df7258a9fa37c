import fc from 'fast-check'
import { expect } from 'vitest'
import { client, get, type Seeing, see } from './seen.ts'

/**
 * Send the same bytes in the same pieces to a server with a fast lane, to one whose lane hands everything over, and
 * to one without: whatever they are, all understand the same and answer the same, byte for byte. Where `node:http`
 * reads by itself, it may be on another turn when a request breaks than where it is given what was read, as over
 * TLS: what it says of the broken one may then come before an answer or after it, so that the last is not compared.
 * Gives how many requests went past `node:http`.
 */
export async function expectSameAnswers(runs: fc.Parameters<unknown>): Promise<number> {
  const fast = await see({ fastLane: true })
  const handing = await see({ fastLane: true, isReady: false })
  const plain = await see()
  await fc.assert(
    fc.asyncProperty(conversation, async pieces => {
      const ours = await talk(fast, pieces)
      const nodes = await talk(plain, pieces)
      expect(ours).toEqual(await talk(handing, pieces))
      expect(ours.visits).toEqual(nodes.visits)
      if (!ours.said.includes(broken)) expect(ours.said).toBe(nodes.said)
    }),
    runs as fc.Parameters<[string[]]>,
  )
  return plain.asked.length - fast.asked.length
}

/** How an answer begins that was made for no request. */
const broken = 'Content-Type: application/problem+json\r\nContent-Length: '

async function talk(server: Seeing, pieces: readonly string[]) {
  const from = server.visits.length
  const { send, end } = await client(server)
  for (const piece of pieces) await send(piece)
  const said = (await end()).replace(requestId, '')
  return { said, visits: server.visits.slice(from) }
}

/** Each answer has one of its own. */
const requestId = /(?<="requestId":"|X-Request-Id: )[0-9a-f-]{36}/g

const method = fc.constantFrom(
  'HEAD',
  'POST',
  'OPTIONS',
  'get',
  'GET ',
  'CONNECT',
  'PRI',
  'M-SEARCH',
)
const target = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('/code', '/Other-code_1', '/code?a=1&b=%20c', '/code?') },
  fc.constantFrom(
    ...['/', '/none', '/none?x', '/code/', '//code', '/c%6fde', '/code+', '/fails', '/last'],
    ...['/later', '/later', '/later-none', '/later-fails'],
    ...['http://b/code', 'HTTP://a', '*', 'code', '/code#part', '/code?x#y', '/co de', '/code?"<>'],
    ...['/code?\xe9', '/code\0', '/code?\t', `/${'a'.repeat(9_000)}`, '', '/api/v1/x', '/../code'],
  ),
)
const version = fc.constantFrom('HTTP/1.0', 'HTTP/2.0', 'HTTP/1.2', 'http/1.1', 'HTTP/1.1 ', '')
const lineEnd = fc.constantFrom('\n', '\r', '\r\r\n', '\n\n')
const usualHeader = fc.constantFrom(
  ...['User-Agent: Mozilla/5.0 (X11; Linux) Chrome/129.0', 'accept: */*', 'Referer: https://b/c'],
  ...[
    'X-Forwarded-For: 192.0.2.1',
    'X-Forwarded-For: 2001:db8::1, 192.0.2.2',
    'DNT: 1',
    'X-Empty:',
  ],
  ...[
    'Accept-Language: de,en;q=0.5',
    'Cookie: a=b; c="d"',
    'Sec-Purpose: prefetch',
    'X:y',
    'X: y:z',
  ],
  ...['Connection: keep-alive', 'connection: Keep-Alive', 'Keep-Alive: timeout=5', 'X-Empty: '],
)
const otherHeader = fc.constantFrom(
  ...['Host: b', 'host: a', 'Connection: close', 'Connection: keep-alive, close', 'Connection: x'],
  ...[
    'Connection: upgrade',
    'Connection:',
    'Proxy-Connection: close',
    'Upgrade: h2c',
    'TE: trailers',
  ],
  ...['Content-Length: 0', 'Content-Length: 3', 'Content-Length: 03', 'Content-Length: -1'],
  ...['Content-Length: 3, 3', 'content-length:', 'CONTENT-LENGTH: 4', 'Transfer-Encoding: chunked'],
  ...['Transfer-Encoding: identity', 'transfer-encoding: xchunked', 'Transfer-Encoding : chunked'],
  ...['Transfer-Encoding:\tchunked', 'Transfer-Encoding: chunked, gzip', 'Expect: 100-continue'],
  ...[
    'Expect: x',
    'Trailer: X',
    'HTTP2-Settings: AAMAAABkAAQAAP__',
    'X_y: z',
    'X y: z',
    ': x',
    'X',
  ],
  ...[
    'X: a\r\n b',
    ' X: a',
    '\tX: a',
    'X:  two',
    'X: end ',
    'X:\ttab',
    'X: a\tb',
    'X: \xe9',
    'X: \0',
  ],
  ...[
    'X: a\rb',
    'X: a\nb',
    `X: ${'a'.repeat(9_000)}`,
    `X: ${'a'.repeat(17_000)}`,
    'X\0: y',
    '\xe9: x',
  ],
  ...['Content-Length : 3', 'Content-Length:3\r\nTransfer-Encoding: chunked', 'Upgrade: websocket'],
)
const host = fc.constantFrom('Host:', 'Host: [::1]:80', 'Host: a b', 'Host: a,b', 'X: y', 'HOST: a')
const body = fc.constantFrom(
  ...['', '', 'abc', '3\r\nabc\r\n0\r\n\r\n', '0\r\n\r\n', '\r\n', 'GET /code HTTP/1.1\r\n'],
)

/** The parts of a request, plain but for some of them. */
interface Parts {
  readonly method: string
  readonly target: string
  readonly version: string
  readonly host: string
  readonly headers: readonly string[]
  readonly lineEnd: string
}

const usual: fc.Arbitrary<Parts> = fc.record({
  ...{ method: fc.constant('GET'), target, version: fc.constant('HTTP/1.1') },
  ...{ host: fc.constant('Host: a'), headers: fc.array(usualHeader, { maxLength: 4 }) },
  lineEnd: fc.constant('\r\n'),
})
const oddHeaders = fc.tuple(fc.array(usualHeader, { maxLength: 2 }), otherHeader)
const odd: fc.Arbitrary<Partial<Parts>> = fc.oneof(
  { weight: 8, arbitrary: oddHeaders.map(([others, it]) => ({ headers: [...others, it] })) },
  fc.record({ method }),
  fc.record({ version }),
  fc.record({ host }),
  fc.record({ lineEnd }),
)
const textOf = ({ method, target, version, host, headers, lineEnd }: Parts) =>
  [`${method} ${target} ${version}`, host, ...headers, '', ''].join(lineEnd)

const usualRequest = usual.map(textOf)
const oddRequest = fc
  .tuple(usual, odd, fc.oneof(fc.constant({}), odd))
  .map(([usual, odd, another]) => textOf({ ...usual, ...odd, ...another }))

/** A byte that is put in, or in the place of some others. */
const slip = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removes: fc.nat(2),
  bytes: fc.constantFrom('', ' ', '\r', '\n', '\t', '\0', ':', 'a', '\x80', '\r\n', '%', ','),
})

const anything = fc
  .tuple(
    fc.array(
      fc.oneof(
        usualRequest,
        fc.tuple(oddRequest, body).map(it => it.join('')),
      ),
      {
        maxLength: 5,
      },
    ),
    fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(slip, { maxLength: 2 })),
    fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
  )
  .map(([requests, slips, cuts]) => {
    const text = slips.reduce((text, { at, removes, bytes }) => {
      const place = Math.floor(at * text.length)
      return text.slice(0, place) + bytes + text.slice(place + removes)
    }, requests.join(''))
    return cutAt(text, cuts)
  })
/** A body comes by itself: whoever takes its head for the whole takes it for a request. */
const oneByOne = fc.tuple(oddRequest, body, usualRequest).map(pieces => pieces.filter(Boolean))
/** What the lane is for. */
const pipelined = fc
  .array(usualRequest, { minLength: 1, maxLength: 3 })
  .map(requests => [requests.join('')])

/** One request that opens the lane, and then anything, in any pieces. */
const conversation = fc
  .array(fc.oneof(anything, oneByOne, pipelined), { minLength: 1, maxLength: 4 })
  .map(turns => [get('/code'), ...turns.flat()])

function cutAt(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map(cut => Math.floor(cut * text.length)), text.length]
  return places
    .toSorted((a, b) => a - b)
    .map((place, index, all) => text.slice(place, all[index + 1] ?? place))
    .filter(piece => piece !== '')
}
