import { asWindows1252 } from './windows-1252.ts'

/** A page must declare its encoding within this many bytes: HTML, section 4.2.5.4. */
const declarationBytes = 1_024

/**
 * Decodes a page by its byte order mark, its media type or its own declaration, in this order, which is that of the
 * Encoding Standard. Uses UTF-8 if there is none of them or if the encoding is unknown.
 */
export function decodeHtml(bytes: Uint8Array, mediaType: string): string {
  const label = markOf(bytes) ?? charsetIn(mediaType) ?? declaredIn(bytes) ?? 'utf-8'
  const decoder = decoderFor(label)
  const text = decoder.decode(bytes)
  return decoder.encoding === 'windows-1252' ? asWindows1252(text) : text
}

function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined
}

function charsetIn(text: string): string | undefined {
  return /charset\s*=\s*["']?([\w:.-]+)/i.exec(text)?.[1]
}

/** A declaration that can be read as ASCII is wrong if it says UTF-16: HTML, section 13.2.3.2. */
function declaredIn(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, declarationBytes))
  const label = charsetIn(head)
  return label?.toLowerCase().startsWith('utf-16') ? 'utf-8' : label
}

function decoderFor(label: string) {
  try {
    return new TextDecoder(label)
  } catch {
    // No encoding has this name.
    return new TextDecoder()
  }
}
