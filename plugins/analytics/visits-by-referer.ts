import { definePlugin, remember, siteOf } from '../../core/plugin.ts'

export default definePlugin({
  feature: 'analytics.visitsByReferer',
  about: 'Count visits by the website they come from.',
  needs: ['analytics.visitsTracking'],
  dimensions: {
    // Our own pages never appear here, because they tell browsers to send no referer.
    visitsByReferer: {
      label: 'Referer',
      chart: 'bar',
      none: 'Direct / unknown',
      of: visit => rememberedSite(visit.referer),
    },
  },
})

const rememberedSite = remember(siteOf)
