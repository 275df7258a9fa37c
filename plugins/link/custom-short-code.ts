import { definePlugin, text } from '../../core/plugin.ts'

export default definePlugin({
  feature: 'link.customShortCode',
  about: 'Choose the short code of a new link.',
  fields: {
    shortCode: text({
      label: 'Short code',
      hint: '1 to 64 letters, digits, hyphens and underscores. Upper and lower case matter.',
      // What codes a host has, its rules say: this is what none has.
      max: 255,
      pattern: /^[^\s%?#\\,]+$/,
      when: 'create',
      stored: false,
    }),
  },
  prepare({ fields: { shortCode } }) {
    return shortCode ? { shortCode } : undefined
  },
})
