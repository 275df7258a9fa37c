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
  ...{ leastBytes: 1, spanMs: 30_000, totalMs: 60_000 },
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
