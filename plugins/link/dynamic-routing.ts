import { definePlugin, field, refuse } from '../../core/plugin.ts'
import { compileRules } from './dynamic-routing/routes.ts'
import { routingSchema, shownRouting } from './dynamic-routing/rules.ts'
import { simulate } from './dynamic-routing/simulate.ts'
import { makeKeyTable, openDraw } from './dynamic-routing/split.ts'

const dynamicRouting = field(routingSchema, {
  label: 'Routing rules',
  hint: 'The first rule that matches a visitor decides where they go. If none matches, they go to the original URL.',
  control: 'rules',
  addresses: ({ rules }) => rules.map(({ originalUrl }) => originalUrl),
})

export default definePlugin({
  feature: 'link.dynamicRouting',
  about: 'Send visitors to different URLs by rules, and split them by weight.',
  reads: ['place', 'city'],
  fields: {
    dynamicRouting: {
      ...dynamicRouting,
      shown: { name: key => key, schema: shownRouting, of: stored => stored ?? null },
    },
  },
  migrations: { '001-keys': makeKeyTable },
  setup: ({ db }) => openDraw(db),

  validate({ fields }, { links }) {
    const { rules = [] } = fields.dynamicRouting ?? {}
    const index = rules.findIndex(({ originalUrl }) => links.leadsBack(originalUrl))
    if (index === -1) return undefined
    const problem = 'The URL leads back to this link shortener.'
    const place = `dynamicRouting.rules[${index}].originalUrl`
    return refuse('validation_failed', problem, 422, place)
  },

  target({ dynamicRouting }, { state }) {
    if (!dynamicRouting) return
    const routes = compileRules(dynamicRouting.rules, state)
    return (visit, url) => {
      const rule = routes.find(visit)
      return rule ? { url: rule.originalUrl, variant: rule.name } : url
    }
  },

  endpoints: { 'POST /links/:id/simulate': simulate },
})
