import { describe, expect, it } from 'vitest'
import { readServer } from '../../../../plugins/organization/mail/mail-server.ts'

describe('the URL of a mail server', () => {
  it.each([
    ['smtps://a:b@mail.example.org', { port: 465, secure: true, auth: { user: 'a', pass: 'b' } }],
    ['smtp://mail.example.org', { port: 587, secure: false, isPlain: false, auth: undefined }],
    ['smtp://a%40b.org:p%zz@[::1]:25?tls=off', { host: '::1', port: 25, isPlain: true }],
    ['smtp://a%40b.org:c@h', { auth: { user: 'a@b.org', pass: 'c' } }],
  ])('is read: %s', (url, expected) => {
    expect(readServer(url)).toMatchObject(expected)
  })

  it.each([
    ...['mail.example.org', 'https://mail.example.org', 'smtps://h?tls=off', 'smtp://h?tls=no'],
    ...['smtp://', 'smtp://h/path', 'smtp://h:99999'],
  ])('is refused: %s', url => {
    expect(readServer(url)).toBeUndefined()
  })
})
