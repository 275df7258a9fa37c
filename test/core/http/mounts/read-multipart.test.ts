import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readMultipart } from '../../../../core/http/mounts/read-multipart.ts'
import { tries } from '../../../at-night.ts'

/** What forms are made of, and what may be wrong with them. */
const pieces = [
  ...['--X', '--X--', '--', '\r\n', '\r\n\r\n', '\n', 'X', ' ', '"', ';', ':', '\0', 'ü'],
  ...['Content-Disposition: form-data; name="a"', 'name="b"; filename="c"', 'filename*=UTF-8'],
  ...['Content-Disposition: form-data', 'Content-Type: text/plain; charset=', 'multipart/mixed'],
  ...['\r\n--X\r\nContent-Disposition: form-data; name="f"; filename="g"\r\n\r\n', 'body'],
]
const types = ['multipart/form-data; boundary=X', 'multipart/form-data; boundary="X"; charset=x']

it('comes to an end with whatever is sent', async () => {
  const bodies = fc.array(fc.constantFrom(...pieces), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...types), bodies, async (type, parts) => {
      const form = await readMultipart(type, Buffer.from(parts.join('')))
      expect('fields' in form || form.status === 400).toBe(true)
    }),
    tries(500),
  )
})

const long = 'z'.repeat(300_000)

it.each([
  ['has another disposition', `Content-Disposition: attachment; name="x"\r\n\r\n${long}`],
  ['has none', `\r\n${long}`],
  ['has a line break in its name', `Content-Disposition: form-data; name="x\r\ny"\r\n\r\n${long}`],
  [
    'has a long head',
    `${'X-A: b\r\n'.repeat(300)}Content-Disposition: form-data; name="x"\r\n\r\ny`,
  ],
])('refuses a form with a long part that %s', async (_, part) => {
  const body = Buffer.from(`--X\r\n${part}\r\n--X--\r\n`)
  expect(await readMultipart(types[0] ?? '', body)).toMatchObject({ code: 'malformed_form' })
})

it.each([
  ['field', 'name="x"'],
  ['file', 'name="x"; filename="y"'],
])('reads a long %s whole', async (_, said) => {
  const part = `--X\r\nContent-Disposition: form-data; ${said}\r\n\r\n${long}\r\n--X--\r\n`
  const form = await readMultipart(types[0] ?? '', Buffer.from(part))
  const { fields, uploads } = 'fields' in form ? form : { fields: {}, uploads: [] }
  expect([...Object.values(fields), ...uploads.map(({ content }) => String(content))]).toEqual([
    long,
  ])
})

it('keeps the names of objects to themselves', async () => {
  const body = '--X\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\na\r\n--X--'
  const form = await readMultipart(types[0] ?? '', Buffer.from(body))
  expect(form).toHaveProperty('fields')
  expect(Object.getPrototypeOf({ ...('fields' in form && form.fields) })).toBe(Object.prototype)
})
