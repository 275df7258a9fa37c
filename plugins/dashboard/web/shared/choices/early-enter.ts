import { type KeyboardEvent, useEffect, useRef } from 'react'

/** Whether Enter comes while a list is open and before it has an option to take, since matches are still loading. */
export function isEarlyEnter({ key, nativeEvent, currentTarget }: KeyboardEvent<HTMLInputElement>) {
  const isOpen = currentTarget.getAttribute('aria-expanded') === 'true'
  if (key !== 'Enter' || nativeEvent.isComposing || currentTarget.readOnly || !isOpen) return false
  const list = document.getElementById(currentTarget.getAttribute('aria-controls') ?? '')
  return !list?.querySelector('[data-combobox-selected]')
}

/** Keeps the form of an input from being sent while what was entered there is looked up, and sends it then. */
export function useHeldForm(isPending: boolean) {
  const input = useRef<HTMLInputElement>(null)
  const isHeld = useRef(false)
  useEffect(() => {
    const held = input.current?.form
    if (!isPending) {
      if (isHeld.current) held?.requestSubmit()
      isHeld.current = false
      return
    }
    const hold = (event: Event) => {
      event.preventDefault()
      event.stopPropagation()
      isHeld.current = true
    }
    held?.addEventListener('submit', hold, true)
    return () => held?.removeEventListener('submit', hold, true)
  }, [isPending])
  return {
    input,
    /** It could not be looked up: whoever sent the form sees why. */
    forget() {
      isHeld.current = false
    },
  }
}
