import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, type BodyOf, dataOf, ifMatch, versionOf } from '../client/client.ts'
import { isProblem } from '../client/problem.ts'
import type { operations } from '../schema.d.ts'

type QrQuestion = NonNullable<operations['links.qr.show']['parameters']['query']>

/** How a QR code looks. */
export type QrLook = Required<Omit<QrQuestion, 'format'>>

/** The look of a link's QR code, and whether it is this link's own. */
export interface KeptLook {
  readonly look: QrLook
  readonly isOwn: boolean
}

/** The look as it was read, with the `etag` that protects a change made elsewhere. */
export interface ReadLook extends KeptLook {
  readonly etag: string
}

export type QrFormat = NonNullable<QrQuestion['format']>

/** The path of a link's QR code on this instance. */
export function qrPath(id: string, format: QrFormat, look: QrLook): string {
  const query = new URLSearchParams({ format })
  for (const [name, value] of Object.entries(look)) query.set(name, String(value))
  return `/api/v1/links/${encodeURIComponent(id)}/qr?${query}`
}

/** The QR code as a file. Throws a `Problem` that says what is wrong with its look. */
export async function drawQr(
  id: string,
  format: QrFormat,
  look: QrLook,
  signal?: AbortSignal,
): Promise<Blob> {
  const params = { path: { id }, query: { format, ...look } }
  const init = { params, parseAs: 'blob', ...(signal && { signal }) } as const
  return dataOf(api.GET('/api/v1/links/{id}/qr', init))
}

/** The QR code as the URL of an image. While the next one loads, the previous one stays on the screen. */
export function qrQuery(id: string, look: QrLook) {
  return queryOptions({
    queryKey: ['qr', id, look],
    async queryFn({ signal }) {
      const picture = await drawQr(id, 'svg', look, signal)
      return `data:image/svg+xml,${encodeURIComponent(await picture.text())}`
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** How the code of a link looks. */
export function qrLookQuery(id: string) {
  return queryOptions({
    queryKey: ['qr-look', id],
    async queryFn({ signal }): Promise<ReadLook> {
      const params = { path: { id } }
      const { body, etag } = await versionOf(
        api.GET('/api/v1/links/{id}/qr-look', { params, signal }),
      )
      return { look: body.data, isOwn: body.meta.isOwn, etag }
    },
  })
}

/** Save a look for one link, or as the default of all links without their own. Returns its new `ETag`. */
export async function keepQrLook(id: string, { look, isOwn, etag }: ReadLook): Promise<string> {
  const body = { ...look }
  const header = ifMatch(etag)
  const params = { path: { id }, header }
  const kept = await versionOf(
    isOwn
      ? api.PATCH('/api/v1/links/{id}/qr-look', { body, params })
      : api.PATCH('/api/v1/qr-look', { body, params: { header } }),
  )
  return kept.etag
}

const logoKey = ['qr-logo'] as const

/** The account's logo as the URL of an image; null if there is none. */
export const qrLogoQuery = queryOptions({
  queryKey: logoKey,
  async queryFn({ signal }) {
    try {
      const file: Blob = await dataOf(api.GET('/api/v1/qr-logo', { parseAs: 'blob', signal }))
      return await dataUriOf(file)
    } catch (error) {
      if (isProblem(error, 'not_found')) return null
      throw error
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** Add a logo, a PNG as a data URI, to the QR codes of all links. */
export async function uploadQrLogo(image: string): Promise<void> {
  await api.POST('/api/v1/qr-logo', { body: { image } })
}

export async function removeQrLogo(): Promise<void> {
  await api.DELETE('/api/v1/qr-logo')
}

export type Sheet = BodyOf<operations['qrSheets.create']>

/** The most QR codes on one sheet. */
export const mostOfSheet = 500

/** The QR codes of links as a PDF. */
export async function drawSheet(body: Sheet): Promise<Blob> {
  return dataOf(api.POST('/api/v1/qr-sheets', { body, parseAs: 'blob' }))
}

function dataUriOf(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}

/** Remove a link's own look, so that it uses the default. */
export async function forgetQrLook(id: string, etag: string): Promise<void> {
  const params = { path: { id }, header: ifMatch(etag) }
  await api.DELETE('/api/v1/links/{id}/qr-look', { params })
}
