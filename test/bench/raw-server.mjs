import { createServer } from 'node:http'

/** The least that a redirect can be in Node: a constant 302 with the headers that ours sends. */
const headers = [
  ...['Location', 'https://example.org/articles/0?from=a-newsletter'],
  ...['Cache-Control', 'private, no-store'],
  ...['Referrer-Policy', 'strict-origin-when-cross-origin'],
  ...['X-Robots-Tag', 'noindex'],
  ...['Content-Length', '0'],
]

createServer((_request, response) => {
  response.writeHead(302, headers).end()
}).listen(Number(process.argv[2]), '127.0.0.1')
