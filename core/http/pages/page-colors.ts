import { filled, readableOn } from '../../lib/contrast.ts'

/** The background of pages, in light and in dark. */
export const lightPaper = '#f7f5f0'
export const darkPaper = '#17191c'

/** A brand's colour, changed where that is needed to read everything. */
export interface PageColors {
  /** Background of a button. */
  readonly fill: string
  /** Text of a button. */
  readonly onFill: string
  /** Drawings, and the edge of a button, on light paper. */
  readonly light: string
  /** The same on dark paper. */
  readonly dark: string
}

/**
 * A button has the colour itself, or a slightly darker one if white can then be read on it. Its edge and the
 * drawings, which could get lost on the paper, have a similar colour.
 */
export function pageColorsOf(color: string): PageColors {
  return {
    ...filled(color),
    light: readableOn(lightPaper, color, '#000000'),
    dark: readableOn(darkPaper, color, '#ffffff'),
  }
}

/** Where a colour is changed, and why. */
export interface Adjustment {
  readonly where: 'buttons' | 'light' | 'dark'
  /** The colour there, such as `#0972eb`. */
  readonly color: string
  /** One sentence for people. */
  readonly message: string
}

/** The changes to a brand's colour; none if everything can be read as it is. */
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
