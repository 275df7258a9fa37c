import { definePlugin } from '../../core/plugin.ts'
import { failureOf } from './kutt/answers.ts'
import { answerAsked } from './kutt/routes.ts'

/**
 * Answers programs that were written for the API of Kutt (https://docs.kutt.it), at the same addresses. `docs/doors.md` says what
 * it serves.
 */
export default definePlugin({
  feature: 'developer.kutt',
  label: 'Kutt clients',
  about: 'Answer programs that were written for the API of Kutt.',
  needs: ['developer.apiKeys', 'link.customShortCode'],
  mounts: {
    'api/v2': {
      methods: ['GET', 'POST', 'PATCH', 'DELETE'],
      headers: ['x-api-key'],
      bodies: ['json', 'form'],
      // Browser extensions call it from any page. Only the key gives access.
      origins: '*',
      token: ({ headers }) => headers['x-api-key'],
      handle: answerAsked,
      problem: failureOf,
    },
  },
})
