import { type QueryKey, useMutation } from '@tanstack/react-query'
import { confirm, type Question } from '../dialogs/confirm.ts'
import { notifyDone } from '../notices/notify.ts'
import { useRefresh } from '../page/use-refresh.ts'

export interface Deletion extends Omit<Question, 'onConfirm'> {
  send(): Promise<unknown>
  /** The notification after the deletion. */
  readonly done: string
  /** What to read again, also after a refusal, which shows that the screen is out of date. */
  readonly changes: readonly QueryKey[]
  /** Called after the deletion, before anything is read again. */
  onDone?(): unknown
}

/** Ask, delete, and confirm that it is done. */
export function useDelete({ send, done, changes, onDone, ...question }: Deletion): () => void {
  const refresh = useRefresh()
  const { mutate } = useMutation({
    mutationFn: send,
    async onSuccess() {
      notifyDone(done)
      await onDone?.()
    },
    onSettled: () => refresh(...changes),
  })
  return () => confirm({ ...question, onConfirm: mutate })
}
