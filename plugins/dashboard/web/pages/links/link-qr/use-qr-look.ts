import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  forgetQrLook,
  type KeptLook,
  keepQrLook,
  type QrLook,
  qrLookQuery,
} from '../../../api/qr.ts'

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
    mutationFn: (wanted: KeptLook | undefined) =>
      wanted ? keepQrLook(id, wanted) : forgetQrLook(id),
    async onMutate(wanted) {
      // An answer of before would take back what is typed meanwhile.
      await queryClient.cancelQueries(query)
      if (wanted) queryClient.setQueryData(query.queryKey, wanted)
    },
    async onSettled() {
      const isLast = queryClient.isMutating({ mutationKey: ['qr-look'] }) === 1
      if (isLast) await queryClient.invalidateQueries({ queryKey: ['qr-look'] })
    },
  })
  return {
    kept,
    keep: (wanted: KeptLook) => change.mutate(wanted),
    forget: () => change.mutate(undefined),
  }
}
