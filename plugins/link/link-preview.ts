import { definePlugin } from '../../core/plugin.ts'

export default definePlugin({
  feature: 'link.linkPreview',
  about: 'Show where a link leads, without going there, when a plus sign follows its short code.',
  views: {
    '+': ({ link }, url, { links }) => ({
      heading: 'Where this link leads',
      rows: [
        { label: 'Short link', value: links.shortUrl(link) },
        { label: 'Leads to', value: url },
      ],
      link: { label: `Go to ${new URL(url).host}`, url },
    }),
  },
})
