import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { isProblem } from '../../../api/client/problem.ts'
import {
  forgetQrLook,
  type KeptLook,
  keepQrLook,
  type QrLook,
  qrLookQuery,
} from '../../../api/links/qr.ts'

/** The API's default look. */
export const usualLook: QrLook = {
  size: 512,
  margin: 4,
  level: 'M',
  dark: '#000000',
  light: '#FFFFFF',
  shape: 'square',
  eyes: 'square',
  logo: '0',
}

/** The look of a link's QR code, saved for the account or for this link; undefined while it loads. */
export function useQrLook(id: string) {
  const queryClient = useQueryClient()
  const query = qrLookQuery(id)
  const { data: kept } = useQuery(query)
  const change = useMutation({
    mutationKey: ['qr-look'],
    // Saves run one after the other, in order.
    scope: { id: 'qr-look' },
    // A look saved in another tab meanwhile is not overwritten: the save is refused, and the other look is shown.
    async mutationFn(wanted: KeptLook | undefined) {
      const etag = queryClient.getQueryData(query.queryKey)?.etag ?? '*'
      if (wanted) return keepQrLook(id, { ...wanted, etag })
      await forgetQrLook(id, etag)
      return '*'
    },
    async onMutate(wanted) {
      // An earlier answer would undo what is typed meanwhile.
      await queryClient.cancelQueries(query)
      queryClient.setQueryData(query.queryKey, read => read && { ...read, ...wanted })
    },
    onSuccess(etag) {
      queryClient.setQueryData(query.queryKey, read => read && { ...read, etag })
    },
    async onSettled() {
      const isLast = queryClient.isMutating({ mutationKey: ['qr-look'] }) === 1
      if (isLast) await queryClient.invalidateQueries({ queryKey: ['qr-look'] })
    },
  })
  return {
    kept,
    /** Calls `onStale` if the look was changed elsewhere meanwhile, so that nothing was saved. */
    keep: (wanted: KeptLook, onStale: () => void) =>
      change.mutate(wanted, { onError: error => isProblem(error, 'stale') && onStale() }),
    forget: () => change.mutate(undefined),
  }
}
