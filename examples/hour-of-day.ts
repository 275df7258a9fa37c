import { definePlugin } from 'linnet/plugin'

export default definePlugin({
  feature: 'custom.hourOfDay',
  about: 'Count visits by the hour of the day, in UTC.',
  needs: ['analytics.visitsTracking'],
  dimensions: {
    visitsByHourOfDay: {
      label: 'Hour of day',
      chart: 'bar',
      // The hour says nothing about the visitor, so visitors who ask not to be tracked count too.
      total: true,
      of: ({ at }) => `${at.getUTCHours()}`.padStart(2, '0'),
      labelOf: hour => `${hour}:00`,
    },
  },
})
