import { ask, definePlugin, toggle } from 'linnet/plugin'

export default definePlugin({
  feature: 'custom.interstitial',
  about: 'Tell visitors where a link leads, and let them go on by a click.',
  fields: {
    announced: toggle({ label: 'Announce', hint: 'Visitors are told where the link leads.' }),
  },
  guard({ announced }, _, { originalUrl }) {
    if (!announced) return
    const question = ask(`This link leads to ${new URL(originalUrl).hostname}`, [])
    return ({ answers }) => (answers.continue ? undefined : question)
  },
})
