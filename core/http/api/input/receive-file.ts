import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { isRefusal, overloaded, type Refusal, refuse } from '../../../plugin/outcomes.ts'
import type { SentFile } from '../../../plugin.ts'
import { freeBytes } from '../../../storage/files/disk-space.ts'
import { allowSlowly } from '../../request/slow-bodies.ts'
import type { Receiving } from '../route/route.ts'

/** How many files are received at a time, of all accounts together. */
const mostAtOnce = 4
/** How much has to come in each of these spans after the first, and how long all of it may take, in milliseconds. */
const leastBytes = 512 * 1024
const spanMs = 30_000
const totalMs = 3_600_000
/** Whoever sends for longer, in milliseconds, and less than this in each second gives way where another one waits. */
const fairMs = 60_000
const fairBytesASecond = 256 * 1024
/** What stays free on the disk, which the database needs, in bytes; and after how many it is looked at again. */
const keptFreeBytes = 128 * 1024 * 1024
const lookEveryBytes = 32 * 1024 * 1024

/** A file that came whole; `end` deletes it, if it is still there. */
export interface Received extends SentFile {
  end(): Promise<void>
}

/** Receives files as bodies of requests. */
export type ReceiveFile = (
  req: IncomingMessage,
  account: number,
  receiving: Receiving,
) => Promise<Received | Refusal>

const usualLimits = { leastBytes, spanMs, totalMs, fairMs, keptFreeBytes, lookEveryBytes }

/** For tests, the limits can be others. */
export function createReceiveFile(limits = usualLimits): ReceiveFile {
  const sending = new Map<number, Sending>()

  /** Has the slowest one give way; false if all of them came fast enough, or did not have their time. */
  function makeRoom(): boolean {
    const slow = [...sending].flatMap(([account, it]) => {
      const ms = performance.now() - it.beganAt
      const aSecond = (it.bytes / ms) * 1_000
      return ms > limits.fairMs && aSecond < fairBytesASecond ? [{ account, it, aSecond }] : []
    })
    const [slowest] = slow.sort((a, b) => a.aSecond - b.aSecond)
    if (!slowest) return false
    sending.delete(slowest.account)
    slowest.it.giveWay()
    return true
  }

  return async (req, account, { folder, maxBytes }) => {
    if (sending.has(account)) return another
    if (sending.size >= mostAtOnce && !makeRoom()) return overloaded
    const mine: Sending = { beganAt: performance.now(), bytes: 0, giveWay: () => undefined }
    sending.set(account, mine)
    const path = join(folder, `${randomUUID()}~`)
    const end = () => rm(path, { force: true })
    try {
      const bytes = await receive(req, path, { folder, maxBytes, ...limits }, mine)
      if (!isRefusal(bytes)) return { path, bytes, end }
      await end()
      return bytes
    } catch (error) {
      await end()
      if (isFull(error)) return noRoom
      throw error
    } finally {
      if (sending.get(account) === mine) sending.delete(account)
    }
  }
}

/** A file on its way. */
interface Sending {
  readonly beganAt: number
  bytes: number
  giveWay(): void
}

const another = refuse(
  'file_under_way',
  'Another file of this account is being sent. Wait until it is here.',
  409,
)
const noRoom = refuse(
  'unavailable',
  'The disk of the server has no room for this file. Ask whoever runs it to make room.',
  503,
)
const tooSlow = refuse('request_timeout', 'The file took too long to arrive.', 408)
const gaveWay = refuse(
  'unavailable',
  'The file came slowly, and others wait to send theirs. Send it again later, or over a faster connection.',
  503,
)
const incomplete = refuse('malformed_request', 'The file is incomplete.', 400)

type Bounds = Receiving & typeof usualLimits

async function receive(
  req: IncomingMessage,
  path: string,
  bounds: Bounds,
  sending: Sending,
): Promise<number | Refusal> {
  const announced = Number(req.headers['content-length'] ?? 0)
  if (announced > bounds.maxBytes) return tooLarge(bounds.maxBytes)
  await mkdir(bounds.folder, { recursive: true })
  if (freeBytes(bounds.folder) - announced < bounds.keptFreeBytes) return noRoom
  const file = await open(path, 'wx', 0o600)
  const disallow = allowSlowly(req)
  try {
    const bytes = await pour(req, file, bounds, sending)
    if (!isRefusal(bytes)) await file.sync()
    return bytes
  } finally {
    disallow()
    await file.close()
  }
}

/** Writes each piece before the next one is read. What comes after a refusal is left unread. */
function pour(
  req: IncomingMessage,
  file: FileHandle,
  bounds: Bounds,
  sending: Sending,
): Promise<number | Refusal> {
  if (req.destroyed) return Promise.resolve(incomplete)
  return new Promise((resolve, reject) => {
    let bytes = 0
    let lookAt = bounds.lookEveryBytes
    let writing: Promise<unknown> = Promise.resolve()
    const give = (outcome: number | Refusal) => {
      stop()
      // The file is closed by then.
      writing.then(() => resolve(outcome), reject)
    }
    // A small file may come slowly.
    let due = 1
    const watching = setInterval(() => {
      if (bytes < due) give(tooSlow)
      due = bytes + bounds.leastBytes
    }, bounds.spanMs)
    const total = setTimeout(() => give(tooSlow), bounds.totalMs)
    const fail = (error: unknown) => {
      stop()
      reject(error)
    }
    const onData = (chunk: Buffer) => {
      bytes += chunk.length
      sending.bytes = bytes
      if (bytes > bounds.maxBytes) return give(tooLarge(bounds.maxBytes))
      req.pause()
      writing = writeAll(file, chunk)
      writing.then(() => (hasRoom() ? req.resume() : give(noRoom))).catch(fail)
    }
    /** Asks now and then, which throws on a disk that fails. */
    const hasRoom = () => {
      if (bytes <= lookAt) return true
      lookAt += bounds.lookEveryBytes
      return freeBytes(bounds.folder) >= bounds.keptFreeBytes
    }
    sending.giveWay = () => give(gaveWay)
    const onEnd = () => give(bytes)
    const onClose = () => give(incomplete)
    const stop = () => {
      clearInterval(watching)
      clearTimeout(total)
      req.off('data', onData).off('end', onEnd).off('close', onClose)
    }
    req.on('data', onData).on('end', onEnd).on('close', onClose)
  })
}

async function writeAll(file: FileHandle, chunk: Buffer): Promise<void> {
  for (let at = 0; at < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, at)
    at += bytesWritten
  }
}

function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(`${(error as NodeJS.ErrnoException).code}`)
}

function tooLarge(maxBytes: number): Refusal {
  return refuse('payload_too_large', `The file is larger than ${maxBytes} bytes.`, 413)
}
