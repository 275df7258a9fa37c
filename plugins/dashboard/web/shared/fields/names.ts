import { said } from '../../api/client/said.ts'

/** `originalUrl` -> `original_url`: as requests name it. */
export function toSnake(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

/** `linkExpiration` -> `Link expiration`: what has no name for people gets one. */
export function wordsOf(name: string): string {
  const words = toSnake(name).replaceAll('_', ' ').trim()
  return said(words.charAt(0).toUpperCase() + words.slice(1))
}
