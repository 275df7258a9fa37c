import { definePlugin, remember } from '../../core/plugin.ts'

/** Loaded when first needed, because loading the names from ICU would slow down each start. */
const nameOf = remember(code => new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code)

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
      labelOf: nameOf,
    },
  },
})
