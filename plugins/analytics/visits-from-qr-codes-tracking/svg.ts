import type { Color } from './color.ts'
import { figureOf, isSquare, type Piece, type Shapes } from './figure.ts'
import type { Logo } from './logo.ts'
import { holeIn, type Modules } from './modules.ts'

/** Draws modules as an SVG of `size` pixels, one unit per module, with a logo in the hole if there is one. */
export function drawSvg(
  modules: Modules,
  look: Shapes & {
    readonly size: number
    readonly margin: number
    readonly dark: Color
    readonly light: Color
    readonly logo: Logo | undefined
  },
): string {
  const { size, margin, dark, light, logo, shape, eyes } = look
  const units = modules.size + 2 * margin
  // Makes straight edges sharp. Round ones would be jagged.
  const rendering = isSquare(look) ? ' shape-rendering="crispEdges"' : ''
  const pieces = figureOf(modules, { shape, eyes })
  const path = pieces.map(piece => traceOf(withOverlap(piece), margin)).join('')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${units} ${units}"${rendering}>`,
    `<path ${fill(light)} d="M0 0h${units}v${units}H0z"/>`,
    `<path ${fill(dark)} d="${path}"/>`,
    ...(logo ? [imageOf(logo, modules, margin)] : []),
    '</svg>\n',
  ].join('')
}

function fill([red, green, blue, opacity]: Color): string {
  const hex = [red, green, blue].map(part => part.toString(16).padStart(2, '0')).join('')
  const see = opacity === 255 ? '' : ` fill-opacity="${(opacity / 255).toFixed(2)}"`
  return `fill="#${hex}"${see}`
}

/** Makes rows overlap a little. If they only touched, a fine light line would show between them. */
function withOverlap(piece: Piece): Piece {
  return piece.height === 1 ? { ...piece, height: 1 + overlap } : piece
}

const overlap = 0.02

/** Traces the edge clockwise; that of a hole counterclockwise, so that it is cut out of the piece below it. */
function traceOf({ x, y, width, height, corners, isHole }: Piece, margin: number): string {
  const [upperLeft, upperRight, lowerRight, lowerLeft] = corners
  const [left, top] = [margin + x, margin + y]
  const [right, bottom] = [left + width, top + height]
  if (isHole) {
    return [
      `M${at(left + upperLeft)} ${at(top)}`,
      `${arc(upperLeft, 0, -upperLeft, upperLeft)}V${at(bottom - lowerLeft)}`,
      `${arc(lowerLeft, 0, lowerLeft, lowerLeft)}H${at(right - lowerRight)}`,
      `${arc(lowerRight, 0, lowerRight, -lowerRight)}V${at(top + upperRight)}`,
      `${arc(upperRight, 0, -upperRight, -upperRight)}z`,
    ].join('')
  }
  return [
    `M${at(left + upperLeft)} ${at(top)}H${at(right - upperRight)}`,
    `${arc(upperRight, 1, upperRight, upperRight)}V${at(bottom - lowerRight)}`,
    `${arc(lowerRight, 1, -lowerRight, lowerRight)}H${at(left + lowerLeft)}`,
    `${arc(lowerLeft, 1, -lowerLeft, -lowerLeft)}V${at(top + upperLeft)}`,
    `${arc(upperLeft, 1, upperLeft, -upperLeft)}z`,
  ].join('')
}

function arc(radius: number, sweep: 0 | 1, x: number, y: number): string {
  return radius === 0 ? '' : `a${at(radius)} ${at(radius)} 0 0 ${sweep} ${at(x)} ${at(y)}`
}

/** Rounds to a hundredth of a module. */
function at(place: number): string {
  return String(Math.round(place * 100) / 100)
}

function imageOf({ file }: Logo, modules: Modules, margin: number): string {
  const { from, side } = holeIn(modules)
  const at = margin + from + logoGap
  const width = side - 2 * logoGap
  const source = `data:image/png;base64,${file.toString('base64')}`
  return `<image x="${at}" y="${at}" width="${width}" height="${width}" href="${source}"/>`
}

/** The gap between a logo and the modules around it, in modules. */
export const logoGap = 0.5
