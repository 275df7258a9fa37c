import { definePlugin, text, z } from '../../core/plugin.ts'

export default definePlugin({
  feature: 'link.editShortCode',
  about: 'Change the short code of an existing link; the old one keeps working.',
  fields: {
    shortCode: text({
      label: 'Short code',
      hint: '1 to 64 letters, digits, hyphens and underscores. Former short codes keep working.',
      // What codes a host has, its rules say: this is what none has.
      max: 255,
      pattern: /^[^\s%?#\\,]+$/,
      when: 'edit',
      stored: false,
      canBeCleared: false,
    }),
  },
  prepare({ fields: { shortCode } }) {
    return shortCode ? { shortCode } : undefined
  },
  computed: {
    schema: {
      formerShortCodes: z
        .array(z.string())
        .meta({ description: 'Former short codes that still lead to the link, oldest first.' }),
    },
    async of(links, context) {
      const former = await context.unstable.links.formerCodes(links)
      return links.map(({ rowId }) => ({ formerShortCodes: former.get(rowId) ?? [] }))
    },
    atFirst: { formerShortCodes: [] },
  },
})
