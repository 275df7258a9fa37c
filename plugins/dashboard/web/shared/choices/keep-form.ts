import type { KeyboardEvent } from 'react'

/**
 * For key presses in an input with a list: while the list is open, or something is typed but not chosen yet,
 * Enter is for the list and does not submit the form.
 */
export function keepForm(event: KeyboardEvent<HTMLInputElement>, isTyped: boolean): void {
  const isOpen = event.currentTarget.getAttribute('aria-expanded') === 'true'
  if (event.key === 'Enter' && (isOpen || isTyped)) event.preventDefault()
}
