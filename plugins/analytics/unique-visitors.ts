import { definePlugin } from '../../core/plugin.ts'

export default definePlugin({
  feature: 'analytics.uniqueVisitors',
  about: 'Count unique visitors per day, without identifying anyone.',
  needs: ['analytics.visitsTracking'],
  dimensions: {
    uniqueVisitors: {
      label: 'Daily unique visitors',
      chart: 'number',
      distinct: true,
      of: ({ visitor, userAgent }) => (visitor === '' ? undefined : `${visitor} ${userAgent}`),
    },
  },
})
