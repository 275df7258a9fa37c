import { type AddressInfo, createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'

/** What a client of the API has to make of an answer. */
export type Ending =
  | 'ConnectionError'
  | 'TimeoutError'
  | 'UnexpectedAnswerError'
  | 'ForbiddenError'
  | 'ServerError'

interface Hostile {
  readonly ends: Ending | readonly Ending[]
  /** The bytes of the answer, or what is done with the connection. */
  readonly answer: string | Buffer | ((socket: Socket) => unknown)
}

const id = 'X-Request-Id: req_1\r\n'
const json = `${id}Content-Type: application/json\r\n`

function whole(body: string | Buffer, headers = json, status = '200 OK'): Buffer {
  const bytes = Buffer.from(body)
  const head = `HTTP/1.1 ${status}\r\n${headers}Content-Length: ${bytes.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes])
}

function refusal(body: object, status = '422 Unprocessable Content'): Buffer {
  return whole(JSON.stringify(body), `${id}Content-Type: application/problem+json\r\n`, status)
}

const problem = {
  type: 'urn:x',
  title: 'X',
  status: 422,
  detail: 'It was refused.',
  code: 'x',
  requestId: '1',
}
const zipped = `${json}Content-Encoding: gzip\r\n`
const mebibyte = Buffer.alloc(2 ** 20, ' ')

/** Writes a little again and again, as long as somebody listens. */
function drip(socket: Socket, start: string, again: string): void {
  socket.write(start)
  const timer = setInterval(() => socket.write(again), 20)
  socket.once('close', () => clearInterval(timer))
}

/** Answers that no Linnet gives, each with how a client has to end. Both clients and the command line are tried with all. */
export const hostileAnswers: Readonly<Record<string, Hostile>> = {
  'an empty object': { ends: 'UnexpectedAnswerError', answer: whole('{}') },
  'an empty list': { ends: 'UnexpectedAnswerError', answer: whole('[]') },
  'a header that is no ASCII': {
    ends: 'UnexpectedAnswerError',
    answer: whole('{}', `${json}ETag: "\xe9"\r\nX-Request-Id: 2\r\n`),
  },
  null: { ends: 'UnexpectedAnswerError', answer: whole('null') },
  'a number': { ends: 'UnexpectedAnswerError', answer: whole('1') },
  'null as data': { ends: 'UnexpectedAnswerError', answer: whole('{"data":null}') },
  'a text as data': { ends: 'UnexpectedAnswerError', answer: whole('{"data":"x"}') },
  'nothing at all': { ends: 'UnexpectedAnswerError', answer: whole('') },
  'no content': {
    ends: 'UnexpectedAnswerError',
    // Without the id that would make it the answer to a deletion.
    answer: Buffer.from('HTTP/1.1 204 No Content\r\n\r\n'),
  },
  'not modified, unasked': {
    ends: 'UnexpectedAnswerError',
    answer: Buffer.from(`HTTP/1.1 304 Not Modified\r\n${id}\r\n`),
  },
  'a page': {
    ends: 'UnexpectedAnswerError',
    answer: whole('<h1>Hi</h1>', `${id}Content-Type: text/html\r\n`),
  },
  'no type': { ends: 'UnexpectedAnswerError', answer: whole('{"data":{}}', id) },
  'no id': {
    ends: 'UnexpectedAnswerError',
    answer: whole('{"data":[]}', 'Content-Type: application/json\r\n'),
  },
  'references in a circle': {
    ends: 'UnexpectedAnswerError',
    answer: whole(
      '{"paths":{"/api/v1/links":{"get":{"operationId":"x","parameters":[{"$ref":"#/a"}]}}},"a":{"$ref":"#/a"}}',
    ),
  },
  'half of JSON': { ends: 'UnexpectedAnswerError', answer: whole('{"data":{"id":') },
  'deep JSON': {
    ends: 'UnexpectedAnswerError',
    answer: whole(`{"deep":${'['.repeat(200_000)}${']'.repeat(200_000)}}`),
  },
  'JSON that is no UTF-8': {
    ends: 'UnexpectedAnswerError',
    answer: whole(Buffer.from('{"data":{"id":"\xff\xfe"}}', 'latin1')),
  },
  'a charset that nobody knows': {
    ends: 'UnexpectedAnswerError',
    answer: whole('[]', `${id}Content-Type: application/json; charset=klingon\r\n`),
  },
  'more JSON than there can be': {
    ends: 'UnexpectedAnswerError',
    answer: socket => {
      const bytes = 2 ** 31
      socket.write(`HTTP/1.1 200 OK\r\n${json}Content-Length: ${bytes}\r\n\r\n`)
      const more = () => {
        while (!socket.destroyed && socket.write(mebibyte));
      }
      socket.on('drain', more)
      more()
    },
  },
  'a bomb': {
    ends: 'UnexpectedAnswerError',
    answer: whole(gzipSync(Buffer.alloc(2 ** 28, ' ')), zipped),
  },
  'half of what is packed': {
    ends: 'UnexpectedAnswerError',
    answer: whole(gzipSync('{"data":{"id":"x"}}').subarray(0, 20), zipped),
  },
  'what is not packed': {
    // Python asks for nothing packed.
    ends: ['ConnectionError', 'UnexpectedAnswerError'],
    answer: whole('{"data":{}}', zipped),
  },
  'less than was said': {
    ends: 'ConnectionError',
    answer: socket =>
      socket.end(`HTTP/1.1 200 OK\r\n${json}Content-Length: 100\r\n\r\n{"data":{}}`),
  },
  'broken chunks': {
    ends: 'ConnectionError',
    answer: `HTTP/1.1 200 OK\r\n${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  },
  'no HTTP': { ends: 'ConnectionError', answer: 'SSH-2.0-OpenSSH_9.6\r\n' },
  'an end before an answer': { ends: 'ConnectionError', answer: socket => socket.destroy() },
  'no end of headers': {
    ends: 'ConnectionError',
    answer: `HTTP/1.1 200 OK\r\n${'X-More: and more\r\n'.repeat(20_000)}`,
  },
  silence: { ends: 'TimeoutError', answer: () => undefined },
  'a header now and then': {
    ends: 'TimeoutError',
    answer: socket => drip(socket, 'HTTP/1.1 200 OK\r\n', 'X-More: x\r\n'),
  },
  'a byte now and then': {
    ends: 'TimeoutError',
    answer: socket => drip(socket, `HTTP/1.1 200 OK\r\n${json}Content-Length: 9999\r\n\r\n`, ' '),
  },
  'a refusal without errors': {
    ends: 'UnexpectedAnswerError',
    answer: refusal(problem),
  },
  'a refusal with errors that are no list': {
    ends: 'UnexpectedAnswerError',
    answer: refusal({ ...problem, errors: { field: 'x' } }),
  },
  'a refusal with an error that is none': {
    ends: 'UnexpectedAnswerError',
    answer: refusal({ ...problem, errors: [null] }),
  },
  'a refusal with a number as its sentence': {
    ends: 'UnexpectedAnswerError',
    answer: refusal({ ...problem, detail: 7, errors: [] }),
  },
  'a refusal that says 200': {
    ends: 'UnexpectedAnswerError',
    answer: refusal({ ...problem, errors: [] }, '200 OK'),
  },
  'a refusal with another status within': {
    ends: 'ForbiddenError',
    answer: refusal({ ...problem, status: 'constructor', errors: [] }, '403 Forbidden'),
  },
  'a failure of the server': {
    ends: 'ServerError',
    answer: refusal({ ...problem, errors: [] }, '500 Internal Server Error'),
  },
  'no page of a proxy': {
    ends: 'UnexpectedAnswerError',
    answer: whole('<h1>Bad gateway</h1>', 'Content-Type: text/html\r\n', '502 Bad Gateway'),
  },
  'another address': {
    ends: 'UnexpectedAnswerError',
    answer: whole('', 'Location: https://other.example/\r\n', '302 Found'),
  },
  'another address that is none': {
    // httpx reads it, and fails.
    ends: ['UnexpectedAnswerError', 'ConnectionError'],
    answer: whole('', 'Location: http://[:bad/\r\n', '301 Moved Permanently'),
  },
  'a wait that is no time': {
    ends: 'UnexpectedAnswerError',
    answer: whole('', 'Retry-After: Mon, 01 Jan 2030 00:00:00 +9999999999\r\n', '503 Busy'),
  },
  'a wait without end': {
    ends: 'UnexpectedAnswerError',
    answer: whole('', 'Retry-After: 1e400\r\n', '429 Too Many Requests'),
  },
}

/**
 * A server that gives each of them: at `/0` the first, at `/1` the next. Elsewhere it answers always as `place` says, and
 * may describe itself as a Linnet does.
 */
export async function hostileServer(place?: number, description?: object): Promise<string> {
  const answers = Object.values(hostileAnswers)
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    // Clients leave in the middle of many of them.
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
    let sent = ''
    socket.on('data', bytes => {
      sent += bytes
      if (!sent.includes('\r\n\r\n')) return
      const [, at = place] = /^\w+ \/(\d+)\//.exec(sent) ?? []
      const isAsked = description !== undefined && sent.startsWith('GET /api/v1/openapi.json ')
      sent = ''
      const answer = isAsked
        ? whole(JSON.stringify(description))
        : (answers[Number(at)]?.answer ?? '')
      if (typeof answer === 'function') answer(socket)
      // What is whole needs no end.
      else if (Buffer.isBuffer(answer)) socket.write(answer)
      else socket.end(answer)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
