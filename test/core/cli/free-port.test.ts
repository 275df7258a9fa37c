import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { findFreePort } from '../../../core/cli/free-port.ts'

it('finds a port to listen on, below those of connections', async () => {
  const server = createServer().listen(await findFreePort('127.0.0.1'), '127.0.0.1')
  onTestFinished(() => {
    server.close()
  })
  await once(server, 'listening')
  expect((server.address() as AddressInfo).port).toBeLessThan(32_768)
})

it('says what is wrong with a host', async () => {
  await expect(findFreePort('192.0.2.1')).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' })
})
