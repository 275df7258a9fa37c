import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { themeOf } from '../../../../core/http/pages/page-theme.ts'
import { askPage, notFoundPage, render } from '../../../../core/http/pages/pages.ts'
import { contrast, filled, readable, readableOn } from '../../../../core/lib/contrast.ts'
import { ask } from '../../../../core/plugin/outcomes.ts'
import { dataUri, png } from '../logos.ts'

const plain = { name: null, color: null, logo: null }
const theme = (brand: Partial<Parameters<typeof themeOf>[0]>) =>
  themeOf({ ...plain, ...brand }, 'https://go.example')

/** Colours that are hard to read on something, and every corner of what there is. */
const colors = ['00', '33', '80', 'cc', 'ff'].flatMap(red =>
  ['00', '33', '80', 'cc', 'ff'].flatMap(green =>
    ['00', '80', 'ff'].map(blue => `#${red}${green}${blue}`),
  ),
)

/** The value of a variable of the style, where it is written last, in light or in dark. */
function variable(style: string, name: string, scheme: 'light' | 'dark'): string | undefined {
  const inScheme = style.replace(
    /@media \(prefers-color-scheme: dark\) (\{ :root \{[^}]*\} \})/g,
    (_, dark: string) => (scheme === 'dark' ? dark : ''),
  )
  return [...inScheme.matchAll(new RegExp(`--${name}: ([^;} ]+)`, 'g'))].at(-1)?.[1]
}

describe('contrast', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#777777', '#ffffff', 4.48],
    ['#767676', '#ffffff', 4.54],
    ['#ff0000', '#ffffff', 4],
  ])('of %s and %s is %d, as WCAG has it', (one, other, expected) => {
    expect(contrast(one, other)).toBeCloseTo(expected, 2)
    expect(contrast(other, one)).toBeCloseTo(expected, 2)
  })

  it('leaves a colour alone that can be read', () => {
    expect(readableOn('#f7f5f0', '#0b3d91', '#000000')).toBe('#0b3d91')
  })
})

describe('a surface in a colour', () => {
  it.each([
    ['#0b3d91', '#0b3d91', '#ffffff'],
    ['#ffd400', '#ffd400', '#000000'],
    ['#ffffff', '#ffffff', '#000000'],
    ['#000000', '#000000', '#ffffff'],
    ['#0a7cff', '#0972eb', '#ffffff'],
  ])('%s is %s under %s', (color, fill, onFill) => {
    expect(filled(color)).toEqual({ fill, onFill })
  })
})

describe('a colour of a brand', () => {
  it.each(['light', 'dark'] as const)('whatever it is, can be read in %s', scheme => {
    for (const color of colors) {
      const { style } = theme({ color })
      const paper = variable(style, 'paper', scheme) ?? ''
      for (const name of ['accent', 'edge']) {
        const drawn = variable(style, name, scheme) ?? ''
        expect(contrast(drawn, paper), `${color} as ${name}`).toBeGreaterThanOrEqual(readable)
      }
      const fill = variable(style, 'fill', scheme) ?? ''
      const onFill = variable(style, 'on-fill', scheme) ?? ''
      expect(contrast(fill, onFill), color).toBeGreaterThanOrEqual(readable)
    }
  })

  it.each(['light', 'dark'] as const)('that is not there leaves all readable in %s', scheme => {
    const { style } = theme({})
    const value = (name: string) => variable(style, name, scheme) ?? ''
    for (const name of ['ink', 'soft', 'accent', 'wrong']) {
      expect(contrast(value(name), value('paper')), name).toBeGreaterThanOrEqual(readable)
    }
    // WCAG 2.2, success criterion 1.4.11: what shows where a field is.
    expect(contrast(value('line'), value('paper'))).toBeGreaterThanOrEqual(3)
    expect(contrast(value('line'), value('field'))).toBeGreaterThanOrEqual(3)
  })
})

describe('a page of a brand', () => {
  const acme = theme({ name: 'Acme & Sons', color: '#ffd400', logo: dataUri('image/png', png) })

  it('has its name in the title, and its logo above with the name for who cannot see it', () => {
    const html = render(notFoundPage, acme)
    expect(html).toContain('<title>No link here · Acme &amp; Sons</title>')
    expect(html).toContain(
      `<header><img src="https://go.example${acme.logo?.path}" alt="Acme &amp; Sons"></header>`,
    )
    expect(html).not.toContain('Linnet')
  })

  it('has its name above when there is no logo', () => {
    const html = render(notFoundPage, theme({ name: 'Acme' }))
    expect(html).toContain('<header>Acme</header>')
    expect(html).not.toContain('<img')
  })

  it('has nothing above when there is no brand', () => {
    expect(render(notFoundPage, theme({}))).not.toContain('<header>')
  })

  it('may load the logo, and nothing else from there or elsewhere', () => {
    const hash = createHash('sha256').update(acme.style).digest('base64')
    expect(acme.contentSecurityPolicy.split('; ')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      'img-src data: https://go.example',
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
    expect(theme({ name: 'Acme' }).contentSecurityPolicy).toContain('img-src data:;')
  })

  it('is small and runs nothing', () => {
    const password = { name: 'password', label: 'Password', type: 'password' } as const
    const asking = askPage(ask('A'.repeat(200), [password], 'Wrong.'), 'p'.repeat(300))
    for (const page of [notFoundPage, asking]) {
      const html = render(page, acme)
      expect(Buffer.byteLength(html)).toBeLessThan(8 * 1024)
      expect(html).not.toMatch(/<script|javascript:| on\w+=/)
    }
  })
})
