import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Change } from './changes.ts'
import type { Chosen } from './chosen.ts'

/** An action on links; its code is loaded on first use. */
type Choose = (changes: typeof import('./changes.ts')) => Change

interface Work {
  readonly chosen: Chosen
  readonly choose: Choose
}

/** Runs an action on one or many links, reports the result, and refreshes the lists. */
export function useBulk(onDone: () => void = () => undefined) {
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    async mutationFn({ chosen, choose }: Work) {
      const [changes, { runChange }] = await Promise.all([
        import('./changes.ts'),
        import('./run-change.tsx'),
      ])
      await runChange(chosen, choose(changes), queryClient)
    },
    onSuccess: onDone,
  })
  return { isPending, run: (chosen: Chosen, choose: Choose) => mutate({ chosen, choose }) }
}
