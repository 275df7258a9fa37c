import { once } from 'node:events'
import { createServer as createNetServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { holdPort } from '../../../core/cli/free-port.ts'
import { createLog } from '../../../core/http/server/log.ts'
import { createServer } from '../../../core/http/server/server.ts'
import { pageSender } from '../http/serve.ts'

it('holds a port that nobody else can take, until a server listens in its place', async () => {
  const { port, holder } = await holdPort('127.0.0.1')
  onTestFinished(() => {
    holder.close()
  })
  const url = `http://127.0.0.1:${port}`
  const other = createNetServer().listen(port, '127.0.0.1')
  await expect(once(other, 'listening')).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await expect(fetch(url)).rejects.toThrow('fetch failed')

  const server = createServer({
    follow: (_, res) => void res.end('followed'),
    mounts: {},
    pageSender,
    log: createLog('silent'),
    fastLane: true,
  })
  expect(await server.listen(holder)).toBe(port)
  onTestFinished(async () => {
    await server.stop(0)
  })
  expect(await (await fetch(url)).text()).toBe('followed')
})

it('says what is wrong with a host', async () => {
  await expect(holdPort('192.0.2.1')).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' })
})
