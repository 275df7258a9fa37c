import { createHook } from 'node:async_hooks'
import { createServer } from 'node:http'

/** The least that a redirect can be in Node: a constant 302 with the headers that ours sends. */
const headers = [
  ...['Location', 'https://example.org/articles/0?from=a-newsletter'],
  ...['Cache-Control', 'private, no-store'],
  ...['Referrer-Policy', 'strict-origin-when-cross-origin'],
  ...['X-Robots-Tag', 'noindex'],
  ...['Content-Length', '0'],
]

const [, , port, how] = process.argv
if (how === 'keep-tick') keepTick()

createServer((_request, response) => {
  response.writeHead(302, headers).end()
}).listen(Number(port), '127.0.0.1')

/** As `core/cli/keep-tick.ts` does for Linnet, and says why. */
function keepTick() {
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject') globalThis.keptTick ??= resource
    },
  }).enable()
  process.nextTick(() => undefined)
  hook.disable()
}
