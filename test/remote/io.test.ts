import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { type Io, tell, widthOf } from '../../remote/io.ts'

it('tells nothing that steers the terminal, whatever a server called somebody', () => {
  const stderr = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: false })
  tell({ stderr }, 'Logged in as a@example.org\u001b]0;owned\u0007.\nThe token is kept.')
  expect(stderr.read()).toBe(
    'Logged in as a@example.org\ufffd]0;owned\ufffd.\nThe token is kept.\n',
  )
})

it('takes a terminal that does not know how wide it is for one of 80 columns', () => {
  const on = (stdout: object) => widthOf({ stdout } as Io)
  expect(on({ isTTY: true, columns: 0 })).toBe(80)
  expect(on({ isTTY: true, columns: 120 })).toBe(120)
  expect(on({ isTTY: false })).toBeUndefined()
})
