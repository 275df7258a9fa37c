/** Red, green, blue and opacity, each from 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number, opacity: number]

/** `#1A2B3C` or `#1A2B3CFF` as numbers. */
export function readColor(text: string): Color {
  const [red = 0, green = 0, blue = 0, opacity = 255] = (text.match(/[\da-f]{2}/gi) ?? []).map(
    pair => Number.parseInt(pair, 16),
  )
  return [red, green, blue, opacity]
}

const white: Color = [255, 255, 255, 255]

/**
 * How much lighter the background is, from 1 for not at all to 21 for black on white; below 1 if it is darker:
 * https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio. Transparent colors are laid on white.
 */
export function contrastOf(dark: Color, light: Color): number {
  const background = over(light, white)
  return (luminanceOf(background) + 0.05) / (luminanceOf(over(dark, background)) + 0.05)
}

/** Lays a color on another: https://www.w3.org/TR/compositing-1/#simplealphacompositing */
export function over([red, green, blue, opacity]: Color, below: Color): Color {
  const share = opacity / 255
  const through = (below[3] / 255) * (1 - share)
  const whole = share + through
  if (whole === 0) return below
  const mix = (above: number, under: number) => (above * share + under * through) / whole
  return [mix(red, below[0]), mix(green, below[1]), mix(blue, below[2]), whole * 255]
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminanceOf([red, green, blue]: Color): number {
  const linear = (part: number) =>
    part <= 0.040_45 * 255 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}
