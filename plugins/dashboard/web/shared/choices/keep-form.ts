import type { KeyboardEvent } from 'react'

/**
 * For keys pressed in an input with a list: while that is open, or something is typed that is not chosen yet,
 * Enter is for the list and sends no form.
 */
export function keepForm(event: KeyboardEvent<HTMLInputElement>, isTyped: boolean): void {
  const isOpen = event.currentTarget.getAttribute('aria-expanded') === 'true'
  if (event.key === 'Enter' && (isOpen || isTyped)) event.preventDefault()
}
