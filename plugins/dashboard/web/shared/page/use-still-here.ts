import { useEffect, useRef } from 'react'

/** Whether its page is still open: what is done late must not lead away from another one. */
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
