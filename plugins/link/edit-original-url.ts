import { address, definePlugin } from '../../core/plugin.ts'

export default definePlugin({
  feature: 'link.editOriginalUrl',
  label: 'Edit original URL',
  about: 'Change where an existing link leads.',
  fields: {
    originalUrl: address({
      label: 'Original URL',
      leads: true,
      when: 'edit',
      stored: false,
      canBeCleared: false,
    }),
  },
  prepare({ fields: { originalUrl } }) {
    return originalUrl ? { originalUrl } : undefined
  },
})
