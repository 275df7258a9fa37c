import { definePlugin, remember } from '../../core/plugin.ts'

/** Asked of ICU only when somebody looks: to load its names would hold up each start. */
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
