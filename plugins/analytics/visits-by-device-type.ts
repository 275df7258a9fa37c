import { definePlugin } from '../../core/plugin.ts'

export default definePlugin({
  feature: 'analytics.visitsByDeviceType',
  about: 'Count visits by device type: desktop, mobile, tablet or other.',
  needs: ['analytics.visitsTracking'],
  dimensions: {
    visitsByDeviceType: {
      label: 'Device type',
      chart: 'bar',
      of: visit => visit.agent.device,
      labelOf: device => `${device.charAt(0).toUpperCase()}${device.slice(1)}`,
    },
  },
})
