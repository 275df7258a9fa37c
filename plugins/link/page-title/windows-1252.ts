/** Characters from 0x80 to 0x9F, where ISO 8859-1 has control characters: https://encoding.spec.whatwg.org */
const extra = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/**
 * Converts text that was decoded as ISO 8859-1 to windows-1252. Older versions of Node decode windows-1252 as
 * ISO 8859-1, and people who write `&#146;` mean windows-1252 too.
 */
export function asWindows1252(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, character => {
    return extra[character.charCodeAt(0) - 0x80] ?? character
  })
}
