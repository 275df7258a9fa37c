import { once } from 'node:events'
import { createServer as createNetServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { holdPort, whyNotListening } from '../../../core/cli/free-port.ts'
import { createLog } from '../../../core/http/server/log.ts'
import { createServer } from '../../../core/http/server/server.ts'
import { pageSender } from '../http/serve.ts'

it('a port that is held can be taken by nobody else, until a server listens in its place', async () => {
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

it('holding a port says what is wrong with a host', async () => {
  await expect(holdPort('192.0.2.1')).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' })
})

it('holding a port says once that it is taken, and what to do about one that only root may use', () => {
  const failed = (code: string) =>
    whyNotListening(Object.assign(new Error(`listen ${code}`), { code }), '0.0.0.0', 'Port 80')
  expect(failed('EADDRINUSE')).toBe(
    'Port 80 of 0.0.0.0 is used by another program. Stop that, or change LINNET_PORT or LINNET_HOST.',
  )
  expect(failed('EACCES')).toBe(
    'Port 80 of 0.0.0.0 may only be used by root. Set LINNET_PORT to one from 1024 on.',
  )
  expect(failed('EINVAL')).toContain('cannot be used: listen EINVAL.')
})
