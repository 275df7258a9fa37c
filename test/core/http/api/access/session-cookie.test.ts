import { expect, test } from 'vitest'
import { createSessionCookie } from '../../../../../core/http/api/access/session-cookie.ts'

test('over https the cookie belongs to this very host', () => {
  const { name, keep, drop } = createSessionCookie({ secure: true })
  expect(name).toBe('__Host-linnet')
  expect(keep('abc')).toBe(
    '__Host-linnet=abc; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax; Secure',
  )
  expect(drop).toBe('__Host-linnet=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure')
})

test('over http, as on one machine, it has a name that browsers take there', () => {
  const { name, keep } = createSessionCookie({ secure: false })
  expect(name).toBe('linnet')
  expect(keep('abc')).toBe('linnet=abc; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax')
})
