import { definePlugin } from '../../core/plugin.ts'

/** Current names of systems that browsers call by an old one. */
const shown: Readonly<Record<string, string>> = { 'Mac OS': 'macOS' }

export default definePlugin({
  feature: 'analytics.visitsByOperatingSystem',
  about: 'Count visits by operating system.',
  needs: ['analytics.visitsTracking'],
  dimensions: {
    visitsByOperatingSystem: {
      label: 'Operating system',
      chart: 'bar',
      of: visit => visit.agent.os,
      labelOf: name => shown[name] ?? name,
    },
  },
})
