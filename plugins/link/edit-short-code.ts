import { definePlugin, text, z } from '../../core/plugin.ts'

export default definePlugin({
  feature: 'link.editShortCode',
  about: 'Give an existing link another short code; the old one keeps redirecting.',
  fields: {
    shortCode: text({
      label: 'Short code',
      hint: '1 to 64 letters, digits, hyphens and underscores. Former codes still lead to the link.',
      max: 64,
      pattern: /^[A-Za-z0-9_-]+$/,
      when: 'edit',
      stored: false,
      canBeCleared: false,
    }),
  },
  prepare({ fields: { shortCode } }) {
    return shortCode ? { shortCode } : undefined
  },
  shows: {
    schema: {
      formerShortCodes: z
        .array(z.string())
        .meta({ description: 'Codes that it had before and that still lead to it, oldest first.' }),
    },
    async of(links, context) {
      const former = await context.links.formerCodes(links)
      return links.map(({ rowId }) => ({ formerShortCodes: former.get(rowId) ?? [] }))
    },
  },
})
