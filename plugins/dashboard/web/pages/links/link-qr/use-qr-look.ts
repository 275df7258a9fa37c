import { useLocalStorage } from '@mantine/hooks'
import type { QrLook } from '../../../api/qr.ts'

/** What the API draws when nobody says anything. */
export const usualLook: QrLook = {
  size: 512,
  margin: 4,
  level: 'M',
  dark: '#000000',
  light: '#FFFFFF',
  logo: '0',
}

/** How QR codes look, for all links: who has chosen colours once wants them again. Kept in this browser. */
export function useQrLook() {
  return useLocalStorage({
    key: 'linnet-qr-look',
    defaultValue: usualLook,
    getInitialValueInEffect: false,
  })
}
