import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readMultipart } from '../../../../core/http/mounts/read-multipart.ts'

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
    { numRuns: 500 },
  )
})

it('keeps the names of objects to themselves', async () => {
  const body = '--X\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\na\r\n--X--'
  const form = await readMultipart(types[0] ?? '', Buffer.from(body))
  expect(form).toHaveProperty('fields')
  expect(Object.getPrototypeOf({ ...('fields' in form && form.fields) })).toBe(Object.prototype)
})
