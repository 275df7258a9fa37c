import { definePlugin } from '../../core/plugin.ts'
import { englishNames } from './english-names.ts'

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
      labelOf: englishNames('region'),
    },
  },
})
