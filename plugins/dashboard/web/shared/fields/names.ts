import { said } from '../../api/client/said.ts'

/** `originalUrl` -> `original_url`: the name in requests. */
export function toSnake(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

/** `linkExpiration` -> `Link expiration`: a label for what has none. */
export function wordsOf(name: string): string {
  const words = toSnake(name).replaceAll('_', ' ').trim()
  return said(words.charAt(0).toUpperCase() + words.slice(1))
}
