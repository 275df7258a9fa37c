import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { createReceiveFile } from '../../../../../core/http/api/input/receive-file.ts'
import { isRefusal } from '../../../../../core/plugin.ts'

const usual = {
  ...{ leastBytes: 1, spanMs: 30_000, totalMs: 60_000, fairMs: 60_000 },
  ...{ keptFreeBytes: 0, lookEveryBytes: 1_000 },
}

/** Sends a body in pieces, one at a time, the last of which ends it unless it stays open; resolves to what became of it. */
async function send(
  pieces: readonly Buffer[],
  {
    limits = {},
    maxBytes = 10_000,
    staysOpen = false,
    announced = undefined as number | undefined,
    everyMs = 0,
  },
) {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const receiveFile = createReceiveFile({ ...usual, ...limits })
  const http = createServer(async (req, res) => {
    const received = await receiveFile(req, 1, { folder, maxBytes })
    if (isRefusal(received))
      res.writeHead(received.status, { connection: 'close' }).end(received.code)
    else res.end(`${received.bytes}`, () => void received.end())
  })
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  const headers = announced === undefined ? {} : { 'content-length': announced }
  const sending = request({ port, method: 'PUT', headers })
  sending.on('error', () => undefined)
  sending.flushHeaders()
  const response = once(sending, 'response')
  for (const piece of pieces) {
    if (everyMs > 0) await delay(everyMs)
    sending.write(piece)
  }
  if (!staysOpen) sending.end()
  const [answer] = await response
  const said = await text(answer)
  await expect.poll(() => readdirSync(folder)).toEqual([])
  return said
}

/** Four accounts that send slowly, the first of them slowest, and then a fifth: what each is told, in that order of time. */
async function sendAsFive(fairMs: number): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const receiveFile = createReceiveFile({ ...usual, fairMs })
  const told: string[] = []
  let begun = 0
  const http = createServer(async (req, res) => {
    begun += 1
    const account = Number(req.url?.slice(1))
    const received = await receiveFile(req, account, { folder, maxBytes: 10_000 })
    told.push(`${account} ${isRefusal(received) ? received.code : received.bytes}`)
    res.writeHead(200, { connection: 'close' }).end()
    if (!isRefusal(received)) await received.end()
  })
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  const begin = async (account: number) => {
    const sending = request({ port, method: 'PUT', path: `/${account}` })
    sending.on('error', () => undefined)
    sending.write(Buffer.alloc(100 * account))
    await expect.poll(() => begun).toBe(account)
    return sending
  }
  const slow = [await begin(1), await begin(2), await begin(3), await begin(4)]
  await delay(50)
  ;(await begin(5)).end()
  await expect.poll(() => told.some(it => it.startsWith('5'))).toBe(true)
  for (const sending of slow) sending.end()
  await expect.poll(() => told.length).toBe(5)
  return told
}

const piece = Buffer.alloc(2_000)

it('a file is received whole, and gone when it is done with', async () => {
  expect(await send([piece, piece], {})).toBe('4000')
})

it('a file that comes no slower than it may is received whole', async () => {
  const limits = { leastBytes: 400, spanMs: 300 }
  const small = Array.from({ length: 20 }, () => Buffer.alloc(400))
  expect(await send(small, { limits, everyMs: 35 })).toBe('8000')
})

it.each([
  [
    'that is announced as too large',
    [piece],
    { announced: 20_000, staysOpen: true },
    'payload_too_large',
  ],
  ['that becomes too large', [piece, piece], { maxBytes: 3_000 }, 'payload_too_large'],
  ['for which the disk has no room', [piece], { limits: { keptFreeBytes: 1e18 } }, 'unavailable'],
  [
    'that does not come',
    [],
    { limits: { spanMs: 50 }, announced: 9, staysOpen: true },
    'request_timeout',
  ],
  ['that stops coming', [piece], { limits: { spanMs: 50 }, staysOpen: true }, 'request_timeout'],
  [
    'that comes by the byte',
    Array.from({ length: 40 }, () => Buffer.alloc(1)),
    { limits: { leastBytes: 400, spanMs: 300 }, everyMs: 35 },
    'request_timeout',
  ],
  ['that takes too long', [piece], { limits: { totalMs: 50 }, staysOpen: true }, 'request_timeout'],
] as const)('a file %s is refused, and leaves nothing', async (_, pieces, how, code) => {
  expect(await send(pieces, how)).toBe(code)
})

it.skipIf(process.getuid?.() === 0)(
  'a folder that cannot be written is an error of the server',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'linnet-files-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    chmodSync(folder, 0o500)
    const { IncomingMessage } = await import('node:http')
    const { Socket } = await import('node:net')
    const receiving = createReceiveFile(usual)(new IncomingMessage(new Socket()), 1, {
      folder,
      maxBytes: 1,
    })
    await expect(receiving).rejects.toThrow('EACCES')
  },
)

it('a disk that fails while a file comes is an error of the server, and the file is closed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-files-'))
  const { IncomingMessage } = await import('node:http')
  const { Socket } = await import('node:net')
  const req = new IncomingMessage(new Socket())
  const receiving = createReceiveFile(usual)(req, 1, { folder, maxBytes: 10_000 })
  await expect.poll(() => readdirSync(folder)).toHaveLength(1)
  rmSync(folder, { recursive: true })
  req.push(piece)
  await expect(receiving).rejects.toThrow('ENOENT')
})

it('of four who send slowly for long, the slowest gives way to another one, and the others go on', async () => {
  const told = await sendAsFive(20)
  expect(told.slice(0, 2).toSorted()).toEqual(['1 unavailable', '5 500'])
  expect(told.slice(2).toSorted()).toEqual(['2 200', '3 300', '4 400'])
})

it('control: nobody gives way who has sent for less', async () => {
  const told = await sendAsFive(60_000)
  expect(told[0]).toBe('5 unavailable')
  expect(told.slice(1).toSorted()).toEqual(['1 100', '2 200', '3 300', '4 400'])
})
