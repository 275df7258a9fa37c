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

it.each([
  ['/dashboard/links?q=1', '/links?q=1'],
  ['/dashboard', '/'],
  ['/dashboard/', '/'],
  ['/dashboards', '/dashboards'],
  ['/dashboard//elsewhere.invalid/', '/dashboard//elsewhere.invalid/'],
])('coming back from a provider to %s leads on to %s', (next, path) => {
  expect(signInSearch({ next })).toEqual({ next: path })
})

it.each([
  ['no_account', 'no_account'],
  ['<b>', undefined],
  ['No account', undefined],
  ['x'.repeat(51), undefined],
  [7, undefined],
])('the problem %j of a provider is read as %j', (problem, code) => {
  expect(signInSearch({ problem })).toEqual({ problem: code })
})
