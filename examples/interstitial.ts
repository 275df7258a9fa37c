import { ask, definePlugin, toggle } from 'linnet/plugin'

export default definePlugin({
  feature: 'custom.interstitial',
  about: 'Tell visitors where a link leads, and let them go on by a click.',
  fields: {
    announced: toggle({ label: 'Announce', hint: 'Visitors are told where the link leads.' }),
  },
  guard({ announced }, _, { originalUrl }) {
    if (!announced) return
    const title = `This link leads to ${new URL(originalUrl).hostname || originalUrl}`
    const rows = [{ label: 'Leads to', value: originalUrl }]
    const question = ask(title, [], undefined, { text: 'That site is not ours.', rows })
    return ({ answers }) => (answers.continue ? undefined : question)
  },
})
