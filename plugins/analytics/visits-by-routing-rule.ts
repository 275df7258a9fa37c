import { definePlugin } from '../../core/plugin.ts'

export default definePlugin({
  feature: 'analytics.visitsByRoutingRule',
  about: 'Count visits by the routing rule that applied.',
  needs: ['analytics.visitsTracking', 'link.dynamicRouting'],
  dimensions: {
    visitsByRoutingRule: {
      label: 'Routing rule',
      chart: 'bar',
      of: visit => visit.notes['link.dynamicRouting'],
    },
  },
})
