import { describe, expect, test } from 'vitest'
import { allows, checkGrant, scopes } from '../../../core/accounts/scopes.ts'

test('these are all scopes there are', () => {
  expect(scopes).toEqual([
    '*',
    'profile:read',
    'links:read',
    'links:write',
    'tags:read',
    'tags:write',
    'campaigns:read',
    'campaigns:write',
    'domains:read',
    'domains:write',
    'analytics:read',
    'analytics:write',
    'api-tokens:read',
    'api-tokens:write',
    'plugins:read',
    'plugins:write',
    'admin',
  ])
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
    api-tokens:write  no     links:read        insufficient_scope
    *                 yes    links:delete      validation_failed
    *                 yes    everything        validation_failed`
  test.each(rowsOf(table))(
    '%s (admin: %s) grants %s: %s',
    (maker = '', admin, wanted = '', verdict) => {
      const caller = { accountId: 1, isAdmin: admin === 'yes', scopes: [maker] }
      expect(checkGrant(caller, [wanted])?.code ?? 'granted').toBe(verdict)
    },
  )

  test('one scope too many refuses them all, and says which', () => {
    const maker = { accountId: 1, isAdmin: false, scopes: ['links:write'] }
    expect(checkGrant(maker, ['links:read', 'tags:read'])).toMatchObject({
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
