import { type City, definePlugin } from '../../core/plugin.ts'
import { englishNames } from './english-names.ts'

const countryOf = englishNames('region')

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

/** The id of a city, such as `US|Illinois|Springfield`, because there are many Springfields. */
function idOf(city: City | undefined): string | undefined {
  return city && [city.country, city.region ?? '', city.name].join('|')
}

/** Labels such as `Springfield, Illinois, United States`, without repetitions: `Berlin, Germany` and `Singapore`. */
function labelOf(value: string): string {
  const [country = '', region = '', name = ''] = value.split('|')
  if (name === '') return value
  const parts = new Set([name, region, countryOf(country)])
  return [...parts].filter(part => part !== '').join(', ')
}
