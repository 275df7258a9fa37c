import { definePlugin, text } from '../../core/plugin.ts'

export default definePlugin({
  feature: 'link.editOriginalUrl',
  about: 'Send an existing link to another address.',
  fields: {
    originalUrl: text({ label: 'Original URL', max: 8_192, when: 'edit', stored: false }),
  },
  prepare({ fields: { originalUrl } }) {
    return originalUrl ? { originalUrl } : undefined
  },
})
