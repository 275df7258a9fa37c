import { type City, definePlugin, remember } from '../../core/plugin.ts'

/** Asked of ICU only when somebody looks: to load its names would hold up each start. */
const countryOf = remember(code => new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code)

export default definePlugin({
  feature: 'analytics.visitsByCity',
  about: 'Count visits by city.',
  needs: ['analytics.visitsTracking'],
  reads: ['city'],
  dimensions: {
    visitsByCity: {
      label: 'City',
      chart: 'table',
      of: visit => idOf(visit.place.city),
      labelOf,
    },
  },
})

/** `US|Illinois|Springfield`: there are many Springfields. */
function idOf(city: City | undefined): string | undefined {
  return city && [city.country, city.region ?? '', city.name].join('|')
}

/** `Springfield, Illinois, United States`, but `Berlin, Germany` and `Singapore`. */
function labelOf(value: string): string {
  const [country = '', region = '', name = ''] = value.split('|')
  if (name === '') return value
  const parts = new Set([name, region, countryOf(country)])
  return [...parts].filter(part => part !== '').join(', ')
}
