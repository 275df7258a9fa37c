import { filled, readableOn } from '../../lib/contrast.ts'

/** What pages are written on, in light and in dark. */
export const lightPaper = '#f7f5f0'
export const darkPaper = '#17191c'

/** What becomes of a brand's colour, so that all can be read. */
export interface PageColors {
  /** Of a button. */
  readonly fill: string
  /** Of the words on it. */
  readonly onFill: string
  /** Of the drawings, and of a button's edge, on light paper. */
  readonly light: string
  /** The same on dark paper. */
  readonly dark: string
}

/**
 * A button has the colour itself, or one a little darker if white can then be read on it; what could be
 * lost on the paper, its edge and the drawings, has a near one.
 */
export function pageColorsOf(color: string): PageColors {
  return {
    ...filled(color),
    light: readableOn(lightPaper, color, '#000000'),
    dark: readableOn(darkPaper, color, '#ffffff'),
  }
}

/** Where a colour does not stay what it is, and why. */
export interface Adjustment {
  readonly where: 'buttons' | 'light' | 'dark'
  /** What it is there, as `#0972eb`. */
  readonly color: string
  /** One sentence for people. */
  readonly message: string
}

/** What has to be told of a brand's colour: nothing, when all can be read as it is. */
export function adjustmentsOf(color: string): readonly Adjustment[] {
  const { fill, light, dark } = pageColorsOf(color)
  const all: readonly Adjustment[] = [
    {
      where: 'buttons',
      color: fill,
      message: `White text is not readable on ${color}, so buttons use ${fill}.`,
    },
    {
      where: 'light',
      color: light,
      message: `${color} is too pale for light pages, so illustrations and borders use ${light} there.`,
    },
    {
      where: 'dark',
      color: dark,
      message: `${color} is too dark for dark pages, so illustrations and borders use ${dark} there.`,
    },
  ]
  return all.filter(it => it.color !== color)
}
