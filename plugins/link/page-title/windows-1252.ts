/** 0x80 to 0x9F, which ISO 8859-1 leaves to control characters: https://encoding.spec.whatwg.org */
const extra = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/**
 * What windows-1252 has at these places, for text that was read as ISO 8859-1: that is what older
 * versions of Node do when they are told windows-1252, and what people do who write `&#146;`.
 */
export function asWindows1252(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, character => {
    return extra[character.charCodeAt(0) - 0x80] ?? character
  })
}
