import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Change } from './changes.ts'
import type { Chosen } from './chosen.ts'

/** What can be done to links; loaded when something is. */
type Choose = (changes: typeof import('./changes.ts')) => Change

interface Work {
  readonly chosen: Chosen
  readonly choose: Choose
}

/** Does something to one link or many, says what came of it, and the lists follow. */
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
