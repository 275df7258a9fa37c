import { definePlugin } from '../../core/plugin.ts'

export default definePlugin({
  feature: 'analytics.visitsOverTime',
  about: 'Show the number of visits over time.',
  needs: ['analytics.visitsTracking'],
  dimensions: {
    visitsOverTime: { label: 'Visits over time', chart: 'line', total: true, of: () => '' },
  },
})
