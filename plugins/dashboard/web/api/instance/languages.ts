import { queryOptions } from '@tanstack/react-query'
import { allLanguages, languages } from '../../language/language.ts'
import { api, dataOf } from '../client/client.ts'

const own = allLanguages.map(lang => ({ lang, name: languages[lang], dir: 'ltr' as const }))

/** Every language that can be chosen, by its own name; at first those that come with the dashboard. */
export const languagesQuery = queryOptions({
  queryKey: ['languages'],
  queryFn: async () => [...own, ...(await dataOf(api.GET('/api/v1/languages'))).data],
  placeholderData: own,
  staleTime: 60_000,
})
