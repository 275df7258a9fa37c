import { type QueryKey, useMutation } from '@tanstack/react-query'
import { confirm, type Question } from '../dialogs/confirm.ts'
import { notifyDone } from '../notices/notify.ts'
import { useRefresh } from '../page/use-refresh.ts'

export interface Deletion extends Omit<Question, 'onConfirm'> {
  send(): Promise<unknown>
  /** What is said once it is gone. */
  readonly done: string
  /** What is read again; also after a refusal, which says that the screen is not up to date. */
  readonly changes: readonly QueryKey[]
  /** Called once it is gone, before anything is read again. */
  onDone?(): unknown
}

/** Ask, delete, and say that it is done. */
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
