import type { IncomingMessage } from 'node:http'

/** A chunk of fewer bytes is copied: by itself it would take hundreds. */
const smallChunk = 1_024
/** Each chunk takes microseconds, however small it is: beyond a few, they must have so many bytes on average. */
const fewChunks = 100
const smallestChunk = 32

/**
 * Joins the small chunks of a body as they come: until somebody reads it, a body waits in memory, by its bytes, and chunks of
 * a byte would take a hundred times as much. Calls `onCrumbs`, and drops the rest, when too many are too small.
 */
export function packChunks(req: IncomingMessage, onCrumbs: () => void): void {
  let page = Buffer.alloc(0)
  let used = 0
  let chunks = 0
  let size = 0
  const isSmall = () => chunks > fewChunks && size < chunks * smallestChunk
  const push = req.push.bind(req)

  /** Returns false if no more should come now. */
  function endPage(): boolean {
    if (used === 0) return true
    const packed = page.subarray(0, used)
    page = page.subarray(used)
    used = 0
    return push(packed)
  }

  req.push = (chunk: Buffer | null) => {
    if (chunk === null) {
      endPage()
      return push(null)
    }
    if (isSmall()) return false
    chunks += 1
    size += chunk.length
    if (isSmall()) {
      onCrumbs()
      return false
    }
    const isLarge = chunk.length >= smallChunk
    const isFull = used + chunk.length > page.length
    const wantsMore = isLarge || isFull ? endPage() : true
    if (isLarge) return push(chunk) && wantsMore
    if (isFull) page = Buffer.alloc(4 * smallChunk)
    used += chunk.copy(page, used)
    return wantsMore
  }
}
