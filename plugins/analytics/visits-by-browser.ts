import { definePlugin } from '../../core/plugin.ts'

export default definePlugin({
  feature: 'analytics.visitsByBrowser',
  about: 'Count visits by browser.',
  needs: ['analytics.visitsTracking'],
  dimensions: {
    visitsByBrowser: { label: 'Browser', chart: 'bar', of: visit => visit.agent.browser },
  },
})
