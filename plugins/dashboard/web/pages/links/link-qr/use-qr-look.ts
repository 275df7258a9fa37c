import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { isProblem } from '../../../api/client/problem.ts'
import {
  forgetQrLook,
  type KeptLook,
  keepQrLook,
  type QrLook,
  qrLookQuery,
} from '../../../api/links/qr.ts'

/** What the API draws when nobody says anything. */
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

/** How the QR code of a link looks, kept for the account or for this link; undefined until that is known. */
export function useQrLook(id: string) {
  const queryClient = useQueryClient()
  const query = qrLookQuery(id)
  const { data: kept } = useQuery(query)
  const change = useMutation({
    mutationKey: ['qr-look'],
    // What is typed later is kept later.
    scope: { id: 'qr-look' },
    // What was kept in another tab meanwhile is not lost: that is refused, and shown.
    async mutationFn(wanted: KeptLook | undefined) {
      const etag = queryClient.getQueryData(query.queryKey)?.etag ?? '*'
      if (wanted) return keepQrLook(id, { ...wanted, etag })
      await forgetQrLook(id, etag)
      return '*'
    },
    async onMutate(wanted) {
      // An answer of before would take back what is typed meanwhile.
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
    /** `onStale` runs if it was changed elsewhere meanwhile and nothing was kept. */
    keep: (wanted: KeptLook, onStale: () => void) =>
      change.mutate(wanted, { onError: error => isProblem(error, 'stale') && onStale() }),
    forget: () => change.mutate(undefined),
  }
}
