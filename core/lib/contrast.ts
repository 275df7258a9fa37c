const white = '#ffffff'
const black = '#000000'

/** The least contrast at which everybody can read text: WCAG 2.2, success criterion 1.4.3. */
export const readable = 4.5

/** The contrast of two colours, such as `#0a7cff`: 1 to 21, by WCAG 2.2. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** The least contrast for large signs: WCAG 2.2, success criterion 1.4.11. */
const visible = 3

/**
 * A surface in a colour, and the text that can be read on it: white, for which the surface may get a little
 * darker, or black, if the colour is bright.
 */
export function filled(color: string): { readonly fill: string; readonly onFill: string } {
  return contrast(color, white) >= visible
    ? { fill: readableOn(white, color, black), onFill: white }
    : { fill: color, onFill: black }
}

/** The colour, moved `towards` black or white only as far as it takes to be readable on `paper`. */
export function readableOn(
  paper: string,
  color: string,
  towards: typeof black | typeof white,
): string {
  for (let percent = 0; percent < 100; percent += 4) {
    const moved = mix(color, towards, percent / 100)
    if (contrast(paper, moved) >= readable) return moved
  }
  return towards
}

function mix(from: string, to: string, share: number): string {
  const ends = channels(to)
  const mixed = channels(from).map((value, index) => {
    const end = ends[index] ?? 0
    return Math.round(value + (end - value) * share)
  })
  return `#${mixed.map(value => value.toString(16).padStart(2, '0')).join('')}`
}

/** Relative luminance as WCAG 2.2 defines it: 0 is black, 1 white. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map(value => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Red, green and blue, 0 to 255. */
function channels(color: string): readonly number[] {
  return [1, 3, 5].map(start => Number.parseInt(color.slice(start, start + 2), 16))
}
