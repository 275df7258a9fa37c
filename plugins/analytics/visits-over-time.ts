import { definePlugin } from '../../core/plugin.ts'

export default definePlugin({
  feature: 'analytics.visitsOverTime',
  about: 'Show how many visits there were when.',
  needs: ['analytics.visitsTracking'],
  dimensions: {
    visitsOverTime: { label: 'Visits over time', chart: 'line', total: true, of: () => '' },
  },
})
