import { useEffect, useRef } from 'react'

/** For a long form: when something is refused, the focus goes to the first input that is wrong. */
export function useFocusProblem(errors: object) {
  const form = useRef<HTMLFormElement>(null)
  const count = Object.keys(errors).length
  const lastCount = useRef(count)
  useEffect(() => {
    // Typing puts things right, one after the other; that must not move anybody.
    const isMore = count > lastCount.current
    lastCount.current = count
    if (isMore) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [count])
  return form
}
