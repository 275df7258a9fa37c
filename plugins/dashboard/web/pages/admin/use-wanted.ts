import { useState } from 'react'

/**
 * A switch that shows at once what somebody wants, until it is so or `forget` says that it was refused: what
 * is asked of the server comes to be known a moment too late, in which it would flip back.
 */
export function useWanted(isOn: boolean) {
  const [wanted, setWanted] = useState<{ readonly from: boolean; readonly to: boolean }>()
  return {
    shown: wanted?.from === isOn ? wanted.to : isOn,
    want: (to: boolean) => setWanted({ from: isOn, to }),
    forget: () => setWanted(undefined),
  }
}
