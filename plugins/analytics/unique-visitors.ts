import { definePlugin } from '../../core/plugin.ts'

export default definePlugin({
  feature: 'analytics.uniqueVisitors',
  about: 'Count how many visitors there were each day, without recognising any of them.',
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
