import type { Color } from './color.ts'
import type { Logo } from './logo.ts'
import { holeIn, type Modules } from './modules.ts'

/** Draw modules as an SVG of `size` pixels, one unit a module, with a logo in their hole if there is one. */
export function drawSvg(
  modules: Modules,
  look: {
    readonly size: number
    readonly margin: number
    readonly dark: Color
    readonly light: Color
    readonly logo: Logo | undefined
  },
): string {
  const { size, margin, dark, light, logo } = look
  const units = modules.size + 2 * margin
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${units} ${units}" shape-rendering="crispEdges">`,
    `<path ${paint('fill', light)} d="M0 0h${units}v${units}H0z"/>`,
    `<path ${paint('stroke', dark)} d="${runsOf(modules, margin)}"/>`,
    ...(logo ? [imageOf(logo, modules, margin)] : []),
    '</svg>\n',
  ].join('')
}

function paint(how: 'fill' | 'stroke', [red, green, blue, opacity]: Color): string {
  const hex = [red, green, blue].map(part => part.toString(16).padStart(2, '0')).join('')
  const see = opacity === 255 ? '' : ` ${how}-opacity="${(opacity / 255).toFixed(2)}"`
  return `${how}="#${hex}"${see}`
}

/** A line for each run of dark modules, along the middle of its row. */
function runsOf(modules: Modules, margin: number): string {
  const lines: string[] = []
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      const from = column
      while (column < modules.size && modules.get(row, column)) column++
      if (column > from) lines.push(`M${margin + from} ${margin + row + 0.5}h${column - from}`)
    }
  }
  return lines.join('')
}

function imageOf({ file }: Logo, modules: Modules, margin: number): string {
  const { from, side } = holeIn(modules)
  const at = margin + from + logoGap
  const width = side - 2 * logoGap
  const source = `data:image/png;base64,${file.toString('base64')}`
  return `<image x="${at}" y="${at}" width="${width}" height="${width}" href="${source}"/>`
}

/** Between a logo and the modules around it, in modules. */
export const logoGap = 0.5
