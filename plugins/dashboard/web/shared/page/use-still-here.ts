import { useEffect, useRef } from 'react'

/** Whether the page is still open: a late result must not navigate away from another page. */
export function useStillHere(): () => boolean {
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return () => isHere.current
}
