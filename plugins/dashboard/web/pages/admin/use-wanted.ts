import { useState } from 'react'

/**
 * Shows at once what somebody switched to, until the server has it or `forget` reports a refusal. The server's
 * state arrives a moment later, and the switch would flip back in between.
 */
export function useWanted(isOn: boolean) {
  const [wanted, setWanted] = useState<{ readonly from: boolean; readonly to: boolean }>()
  return {
    shown: wanted?.from === isOn ? wanted.to : isOn,
    want: (to: boolean) => setWanted({ from: isOn, to }),
    forget: () => setWanted(undefined),
  }
}
