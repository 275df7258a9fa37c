import { saveFile } from '../../../shared/copy/save-file.ts'
import { drawElement, type Picture } from './draw-element.ts'

/** Image pixels per CSS pixel, sharp enough for slides. */
const scale = 2

/** Save an element as a picture of how it looks now. */
export async function savePicture(
  element: HTMLElement,
  name: string,
  format: 'svg' | 'png',
): Promise<void> {
  const picture = drawElement(element)
  const file =
    format === 'svg' ? new Blob([picture.svg], { type: 'image/svg+xml' }) : await paint(picture)
  saveFile(file, `linnet_${name.toLowerCase().replace(/\s+/g, '-')}.${format}`)
}

async function paint({ svg, width, height }: Picture): Promise<Blob> {
  const image = new Image(width, height)
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  const canvas = new OffscreenCanvas(width * scale, height * scale)
  canvas.getContext('2d')?.drawImage(image, 0, 0, width * scale, height * scale)
  return canvas.convertToBlob({ type: 'image/png' })
}
