/** The SVG properties that stylesheets may set, which must be inlined because a file has no stylesheet. */
const svgStyles = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap'],
  ...['stroke-linejoin', 'stroke-opacity', 'opacity', 'font-family', 'font-size', 'font-weight'],
  ...['stop-color', 'stop-opacity', 'vector-effect'],
]

const svgNamespace = 'http://www.w3.org/2000/svg'

export interface Picture {
  readonly svg: string
  readonly width: number
  readonly height: number
}

/**
 * Draws an element as it looks now as an SVG that needs no stylesheet: its coloured boxes, the SVGs in it, and
 * its texts. Elements with `data-unpictured` are left out, and so is what only screen readers see.
 */
export function drawElement(element: HTMLElement): Picture {
  const frame = element.getBoundingClientRect()
  const [width, height] = [Math.ceil(frame.width), Math.ceil(frame.height)]
  const parts = [...partsOf(element, frame)]
  const svg = `<svg xmlns="${svgNamespace}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${parts.join('')}</svg>`
  return { svg, width, height }
}

function* partsOf(element: Element, frame: DOMRect): Generator<string> {
  const style = getComputedStyle(element)
  if (isLeftOut(element, style)) return
  if (element instanceof SVGSVGElement) {
    yield copyOf(element, frame)
    return
  }
  const box = boxOf(element, style, frame)
  if (box !== undefined) yield box
  for (const node of element.childNodes) {
    if (node instanceof Element) yield* partsOf(node, frame)
    if (node instanceof Text && node.data.trim() !== '') yield textOf(node, element, style, frame)
  }
}

function isLeftOut(
  element: Element,
  { display, visibility, position, width }: CSSStyleDeclaration,
) {
  const isForReaders = position === 'absolute' && width === '1px'
  return (
    element.hasAttribute('data-unpictured') ||
    display === 'none' ||
    visibility === 'hidden' ||
    isForReaders
  )
}

function boxOf(element: Element, style: CSSStyleDeclaration, frame: DOMRect): string | undefined {
  const fill = style.backgroundColor
  const border = Number.parseFloat(style.borderTopWidth)
  const isBare = fill === 'rgba(0, 0, 0, 0)' && border === 0
  if (isBare || element instanceof HTMLInputElement) return undefined
  const { x, y, width, height } = placeOf(element.getBoundingClientRect(), frame)
  const half = border / 2
  const radius = Math.min(Number.parseFloat(style.borderTopLeftRadius) || 0, height / 2)
  return `<rect ${attributes({
    x: x + half,
    y: y + half,
    width: Math.max(width - border, 0),
    height: Math.max(height - border, 0),
    rx: radius,
    fill,
    ...(border > 0 && { stroke: style.borderTopColor, 'stroke-width': border }),
  })}/>`
}

/** A copy that looks the same without the stylesheets of the page. */
function copyOf(element: SVGSVGElement, frame: DOMRect): string {
  const copy = element.cloneNode(true) as SVGSVGElement
  const copies = [copy, ...copy.querySelectorAll('*')]
  for (const [index, original] of [element, ...element.querySelectorAll('*')].entries()) {
    const target = copies[index]
    if (!(target instanceof SVGElement)) continue
    const style = getComputedStyle(original)
    for (const name of svgStyles) target.setAttribute(name, style.getPropertyValue(name))
    for (const name of ['class', 'style', 'aria-hidden']) target.removeAttribute(name)
  }
  const place = placeOf(element.getBoundingClientRect(), frame)
  for (const [name, value] of Object.entries(place)) copy.setAttribute(name, String(value))
  copy.setAttribute('color', getComputedStyle(element).color)
  return new XMLSerializer().serializeToString(copy)
}

/** A line of text, truncated where the page truncates it. */
function textOf(text: Text, parent: Element, style: CSSStyleDeclaration, frame: DOMRect): string {
  const range = document.createRange()
  range.selectNodeContents(text)
  const { x, y, width, height } = placeOf(range.getBoundingClientRect(), frame)
  const shown =
    style.overflow === 'hidden' ? placeOf(parent.getBoundingClientRect(), frame) : undefined
  const letters = `<text ${attributes({
    x: shown ? x - shown.x : x,
    y: (shown ? y - shown.y : y) + height / 2,
    'dominant-baseline': 'central',
    fill: style.color,
    'font-family': style.fontFamily,
    'font-size': style.fontSize,
    'font-weight': style.fontWeight,
  })}>${escapeXml(text.data.trim())}</text>`
  if (!shown) return letters
  const cut = { ...shown, width: Math.min(shown.width, width + 1) }
  return `<svg ${attributes({ ...cut, overflow: 'hidden' })}>${letters}</svg>`
}

function placeOf({ left, top, width, height }: DOMRect, frame: DOMRect) {
  return { x: left - frame.left, y: top - frame.top, width, height }
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escapeXml(String(value))}"`)
    .join(' ')
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`)
}
