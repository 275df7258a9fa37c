import { expect, it } from 'vitest'
import { signInSearch } from '../../../../plugins/dashboard/web/pages/sign-in/sign-in-search.ts'

it.each(['/', '/links?q=berlin', '/links/lnk_1#notes'])('signing in leads on to %s', next => {
  expect(signInSearch({ next })).toEqual({ next })
})

it.each([
  ...['//elsewhere.invalid/', 'https://elsewhere.invalid/', '/\\elsewhere.invalid/'],
  ...['javascript:alert(1)', 'links', '', undefined, ['/links']],
])('signing in never leads to %j', next => {
  expect(signInSearch({ next })).toEqual({ next: undefined })
})
