import { definePlugin } from '../../core/plugin.ts'

export default definePlugin({
  feature: 'analytics.visitsTracking',
  about: 'Count visits, with those of bots counted separately.',
  flag: 'visitTrackingEnabled',
  dimensions: {
    visits: { label: 'Visits', chart: 'number', total: true, of: () => '' },
    bots: { label: 'Bots', chart: 'number', total: true, bots: true, of: () => '' },
  },
})
