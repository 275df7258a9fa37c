import { address, definePlugin } from '../../core/plugin.ts'

export default definePlugin({
  feature: 'link.editOriginalUrl',
  label: 'Edit original URL',
  about: 'Send an existing link to another address.',
  fields: {
    originalUrl: address({
      label: 'Original URL',
      when: 'edit',
      stored: false,
      canBeCleared: false,
    }),
  },
  prepare({ fields: { originalUrl } }) {
    return originalUrl ? { originalUrl } : undefined
  },
})
