import { definePlugin } from '../../core/plugin.ts'

export default definePlugin({
  feature: 'analytics.visitsByOperatingSystem',
  about: 'Count visits by operating system.',
  needs: ['analytics.visitsTracking'],
  dimensions: {
    visitsByOperatingSystem: {
      label: 'Operating system',
      chart: 'bar',
      of: visit => visit.agent.os,
    },
  },
})
