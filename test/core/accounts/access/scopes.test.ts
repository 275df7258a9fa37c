import { describe, expect, test } from 'vitest'
import { allows, checkGrant, scopesOf } from '../../../../core/accounts/access/scopes.ts'

const moods = { scopes: ['moods:read', 'moods:write'] }
const scopes = scopesOf([moods, { scopes: ['tags:read', 'tags:write'] }])

test('scopes are some whatever plugins there are, and those that plugins bring, each once', () => {
  const first = ['*', 'profile:read', 'links:read', 'links:write', 'analytics:read']
  const always = [...first, 'analytics:write', 'plugins:read', 'plugins:write']
  expect(scopesOf([])).toEqual([...always, 'admin'])
  expect(scopesOf([moods, {}, moods])).toEqual([...always, 'moods:read', 'moods:write', 'admin'])
})

describe('what is granted covers what is needed', () => {
  const table = `
    granted               needed            covered
    *                     *                 yes
    *                     links:write       yes
    *                     profile:read      yes
    *                     admin             yes
    profile:read          profile:read      yes
    profile:read          *                 no
    links:write           links:write       yes
    links:write           links:read        yes
    links:read            links:write       no
    links:write           tags:read         no
    links:read,tags:read  tags:read         yes
    api-tokens:write      api-tokens:read   yes
    api-tokens:write      *                 no
    admin                 admin             yes
    admin                 links:read        no
    admin                 *                 no
    link                  links:read        no
    none                  profile:read      no`
  test.each(rowsOf(table))('%s for %s: %s', (granted = '', needed = '', covered) => {
    const scopes = granted === 'none' ? [] : granted.split(',')
    expect(allows(scopes, needed) ? 'yes' : 'no').toBe(covered)
  })
})

describe('nobody grants more than they have', () => {
  const table = `
    maker             admin  wanted            verdict
    *                 yes    *                 granted
    *                 yes    admin             granted
    *                 no     *                 granted
    *                 no     admin             insufficient_scope
    admin             yes    admin             granted
    admin             no     admin             insufficient_scope
    links:write       no     links:read        granted
    links:read        no     links:write       insufficient_scope
    links:read        no     *                 insufficient_scope
    moods:write       no     links:read        insufficient_scope
    moods:write       no     moods:read        granted
    *                 yes    links:delete      validation_failed
    *                 yes    everything        validation_failed`
  test.each(rowsOf(table))(
    '%s (admin: %s) grants %s: %s',
    (maker = '', admin, wanted = '', verdict) => {
      const caller = { accountId: 1, isAdmin: admin === 'yes', scopes: [maker] }
      expect(checkGrant(caller, [wanted], scopes)?.code ?? 'granted').toBe(verdict)
    },
  )

  test('one scope too many refuses them all, and says which', () => {
    const maker = { accountId: 1, isAdmin: false, scopes: ['links:write'] }
    expect(checkGrant(maker, ['links:read', 'tags:read'], scopes)).toMatchObject({
      status: 403,
      field: 'scopes',
      details: { requiredScope: 'tags:read' },
    })
  })
})

function rowsOf(table: string): string[][] {
  const [, ...rows] = table.trim().split('\n')
  return rows.map(row => row.trim().split(/\s+/))
}
