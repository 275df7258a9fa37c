import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  forgetQrLook,
  type KeptLook,
  keepQrLook,
  type QrLook,
  qrLookQuery,
} from '../../../api/qr.ts'
import { notifyProblem } from '../../../shared/notify.ts'

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
  const { data: kept } = useQuery(qrLookQuery(id))
  const become = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      notifyProblem(error)
    }
    await queryClient.invalidateQueries({ queryKey: ['qr-look'] })
  }
  return {
    kept,
    keep: (wanted: KeptLook) => become(() => keepQrLook(id, wanted)),
    forget: () => become(() => forgetQrLook(id)),
  }
}
