import { useEffect, useRef } from 'react'

/** In a long form, moves the focus to the first invalid input when a save is refused. */
export function useFocusProblem(errors: object) {
  const form = useRef<HTMLFormElement>(null)
  const count = Object.keys(errors).length
  const lastCount = useRef(count)
  useEffect(() => {
    // Typing resolves errors one by one; that must not move the focus.
    const isMore = count > lastCount.current
    lastCount.current = count
    if (isMore) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [count])
  return form
}
