import { definePlugin } from '../../core/plugin.ts'

const names = new Intl.DisplayNames('en', { type: 'region' })

export default definePlugin({
  feature: 'analytics.visitsByCountry',
  about: 'Count visits by country.',
  needs: ['analytics.visitsTracking'],
  reads: ['place'],
  dimensions: {
    visitsByCountry: {
      label: 'Country',
      chart: 'map',
      of: visit => visit.place.country,
      labelOf: code => names.of(code) ?? code,
    },
  },
})
