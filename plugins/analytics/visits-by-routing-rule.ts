import { definePlugin } from '../../core/plugin.ts'

export default definePlugin({
  feature: 'analytics.visitsByRoutingRule',
  about: 'Count visits by the routing rule that applied.',
  needs: ['analytics.visitsTracking', 'link.dynamicRouting'],
  dimensions: {
    visitsByRoutingRule: {
      label: 'Routing rule',
      chart: 'bar',
      none: 'No rule',
      of: visit => visit.variants['link.dynamicRouting'],
    },
  },
})
