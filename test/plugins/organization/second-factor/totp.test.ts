import { expect, it } from 'vitest'
import { codeAt, stepAt, uriOf } from '../../../../plugins/organization/second-factor/totp.ts'

it('makes the codes of RFC 6238, appendix B', () => {
  const secret = Buffer.from('12345678901234567890')
  const codes = [59, 1111111109, 1111111111, 1234567890, 2000000000, 20000000000].map(seconds =>
    codeAt(secret, stepAt(new Date(seconds * 1_000))),
  )
  expect(codes).toEqual(['287082', '081804', '050471', '005924', '279037', '353130'])
})

it('names the server and the account in the address for apps', () => {
  expect(uriOf('ABC', 'Go: links & more', 'bob+a@example.org')).toBe(
    'otpauth://totp/Go%20links%20%26%20more:bob%2Ba%40example.org?secret=ABC&issuer=Go%20links%20%26%20more',
  )
})
