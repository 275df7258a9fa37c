import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { tell } from '../../remote/io.ts'

it('tells nothing that steers the terminal, whatever a server called somebody', () => {
  const stderr = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: false })
  tell({ stderr }, 'Logged in as a@example.org\u001b]0;owned\u0007.\nThe token is kept.')
  expect(stderr.read()).toBe(
    'Logged in as a@example.org\ufffd]0;owned\ufffd.\nThe token is kept.\n',
  )
})
