import { definePlugin, text, z } from '../../core/plugin.ts'
import { makeLogosTable } from './visits-from-qr-codes-tracking/account-logos.ts'
import { marker } from './visits-from-qr-codes-tracking/draw-code.ts'
import { drawingEndpoints } from './visits-from-qr-codes-tracking/drawing-endpoints.ts'
import { makeLookTables } from './visits-from-qr-codes-tracking/kept-looks.ts'
import { type Logo, readLogo } from './visits-from-qr-codes-tracking/logo.ts'
import { logoEndpoints } from './visits-from-qr-codes-tracking/logo-endpoints.ts'
import { lookEndpoints } from './visits-from-qr-codes-tracking/look-endpoints.ts'

export default definePlugin({
  feature: 'analytics.visitsFromQrCodesTracking',
  label: 'QR codes',
  about: 'Draw a QR code for each link, and count the visits that come from it.',
  needs: ['analytics.visitsTracking'],
  settings: {
    logo: text({
      label: 'Logo in QR codes',
      hint: 'Path of a PNG file on the server, at most 64 KiB and 256 pixels per side, ideally square.',
      default: '',
      min: 0,
      max: 4_096,
    }),
  },
  async setup({ settings, log }): Promise<Logo | undefined> {
    if (settings.logo === '') return undefined
    try {
      return await readLogo(settings.logo)
    } catch (error) {
      // Codes without a logo are better than none, and their visits must still be counted.
      const reason = error instanceof Error ? error.message : String(error)
      log.error(`QR codes have no logo: ${reason}`)
      return undefined
    }
  },
  migrations: {
    '001-looks': async db => {
      await makeLookTables(db)
      await makeLogosTable(db)
    },
  },
  dimensions: {
    visitsFromQrCodes: {
      label: 'Visits from QR codes',
      chart: 'number',
      total: true,
      of: ({ query }) => (query.has(marker) ? '' : undefined),
    },
  },
  unstable: { totals: { fromQrCodes: 'visitsFromQrCodes' } },
  computed: {
    schema: {
      qrCodeUrl: z
        .url()
        .meta({ examples: ['https://go.example.org/api/v1/links/lnk_Gv8J65Sx/qr'] }),
    },
    of: (shown, { links }) =>
      shown.map(({ id }) => ({ qrCodeUrl: links.apiUrl(`/links/${id}/qr`) })),
  },
  endpoints: { ...drawingEndpoints, ...logoEndpoints, ...lookEndpoints },
})
