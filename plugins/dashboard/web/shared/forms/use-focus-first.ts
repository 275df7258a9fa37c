import { useEffect, useRef } from 'react'

/** Put the focus on an input when its page opens, because the page is for filling it in. */
export function useFocusFirst() {
  const ref = useRef<HTMLInputElement>(null)
  useEffect(() => ref.current?.focus(), [])
  return ref
}
