import { useEffect, useRef } from 'react'

/** Put the focus on an input when its page opens: it is why somebody came. */
export function useFocusFirst() {
  const ref = useRef<HTMLInputElement>(null)
  useEffect(() => ref.current?.focus(), [])
  return ref
}
