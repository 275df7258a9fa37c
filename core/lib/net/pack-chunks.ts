import type { IncomingMessage } from 'node:http'

/** A chunk of fewer bytes is copied: by itself it would take hundreds. */
const smallChunk = 1_024
/** Small chunks are copied into pages, which are as large as all that came before. */
const leastPage = 64
const mostPage = 4 * smallChunk
/** Each chunk takes microseconds, however small it is: beyond a few, they must have so many bytes on average. */
const fewChunks = 100
const smallestChunk = 32

/** A body of known length up to this, in bytes, takes little in whatever pieces it comes. */
const shortBody = 256

/** Takes a chunk of a body, null at its end; returns false if no more should come now. */
type Push = (chunk: Buffer | null) => boolean

/**
 * Joins the small chunks of a body, as they are sent or as its connection brings them: until somebody reads it, it waits in
 * memory, where chunks of a byte take a hundred times as much. Calls `onCrumbs`, and drops the rest, when too many are too small.
 */
export function packChunks(message: IncomingMessage, onCrumbs: () => void): void {
  const { push, headers } = message
  if (!headers['transfer-encoding'] && !(Number(headers['content-length']) > shortBody)) return
  let isFirst = true
  let pack: Push | undefined
  message.push = chunk => {
    // Most bodies are one chunk.
    if (isFirst || (chunk === null && pack === undefined)) {
      isFirst = false
      return push.call(message, chunk)
    }
    pack ??= createPacker(it => push.call(message, it), onCrumbs)
    return pack(chunk)
  }
}

function createPacker(push: Push, onCrumbs: () => void): Push {
  let page = Buffer.alloc(0)
  let used = 0
  let chunks = 0
  let size = 0
  const areCrumbs = () => chunks > fewChunks && size < chunks * smallestChunk

  function endPage(): boolean {
    if (used === 0) return true
    const packed = page.subarray(0, used)
    page = page.subarray(used)
    used = 0
    return push(packed)
  }

  return chunk => {
    if (chunk === null) {
      endPage()
      return push(null)
    }
    if (areCrumbs()) return false
    chunks += 1
    size += chunk.length
    if (areCrumbs()) {
      onCrumbs()
      return false
    }
    const isLarge = chunk.length >= smallChunk
    const isFull = used + chunk.length > page.length
    const wantsMore = isLarge || isFull ? endPage() : true
    if (isLarge) return push(chunk) && wantsMore
    if (isFull) page = Buffer.alloc(Math.min(Math.max(size, leastPage), mostPage))
    used += chunk.copy(page, used)
    return wantsMore
  }
}
