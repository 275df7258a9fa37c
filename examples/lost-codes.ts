import { address, definePlugin, follow, optional, redirect } from 'linnet/plugin'

/** People who read a short URL from paper type `/SPRING`, and programs take the full stop behind it for a part of it. */
export default definePlugin({
  feature: 'custom.lostCodes',
  about:
    'Find links by codes that are not spelled quite right, and lead all other unknown codes to one page.',
  settings: {
    fallback: optional(address({ label: 'Address for codes without a link' })),
  },
  unstable: {
    unknown({ path }, { settings: { fallback } }) {
      // The bare address, which leads to the dashboard.
      if (path === '') return undefined
      const likely = path.toLowerCase().replace(/[^a-z\d]+$/, '')
      return follow(likely, fallback ? redirect(fallback) : undefined)
    },
  },
})
