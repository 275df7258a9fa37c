import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseUrl } from '../../../../core/lib/net/parse-url.ts'

const root = resolve(import.meta.dirname, '../../../..')

describe('an address', () => {
  it('is parsed, on its own or from another one', () => {
    expect(parseUrl('HTTPS://Example.com/ü')?.href).toBe('https://example.com/%C3%BC')
    expect(parseUrl('/page?q=1', new URL('https://example.com/a'))?.href).toBe(
      'https://example.com/page?q=1',
    )
  })

  it.each(['', 'page', 'https://', 'https://a b/'])('is none: %j', text => {
    expect(parseUrl(text)).toBeUndefined()
  })

  it('may have letters beyond ASCII, however many were parsed before', () => {
    for (let asked = 0; asked < 20_000; asked += 1) parseUrl('https://example.com/')
    expect(parseUrl('https://bücher.example/')?.hostname).toBe('xn--bcher-kva.example')
  })

  it('is parsed by nobody with URL.canParse, which forgets letters beyond ASCII', () => {
    const users = ['core', 'plugins', 'config']
      .flatMap(folder =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(file =>
          join(folder, file),
        ),
      )
      .filter(
        file =>
          /\.tsx?$/.test(file) && readFileSync(join(root, file), 'utf8').includes('canParse('),
      )
    expect(users).toEqual([])
  })
})
