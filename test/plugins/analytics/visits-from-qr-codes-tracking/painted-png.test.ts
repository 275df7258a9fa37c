import QrCode from 'qrcode'
import { expect, it } from 'vitest'
import type { Color } from '../../../../plugins/analytics/visits-from-qr-codes-tracking/color.ts'
import { drawPaintedPng } from '../../../../plugins/analytics/visits-from-qr-codes-tracking/painted-png.ts'

const dark: Color = [0, 0, 0, 255]
const light: Color = [255, 255, 255, 255]

/** How many turns of the event loop others have while a code is drawn. */
async function turnsWhileDrawing(size: number): Promise<number> {
  const { modules } = QrCode.create('https://go.example.org/abc?qr', { errorCorrectionLevel: 'M' })
  const look = { shape: 'dots', eyes: 'circle', margin: 4, dark, light, logo: undefined } as const
  let isDrawing = true
  let turns = 0
  const count = () => {
    turns += 1
    if (isDrawing) setImmediate(count)
  }
  setImmediate(count)
  await drawPaintedPng(modules, { ...look, size })
  isDrawing = false
  return turns
}

it('a large code in any shape is drawn in parts, with turns for redirects in between', async () => {
  // 4.2 million pixels, a hundred thousand at once.
  expect(await turnsWhileDrawing(2_048)).toBeGreaterThan(40)
})
