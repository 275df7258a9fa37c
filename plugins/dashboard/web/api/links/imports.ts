import { queryOptions } from '@tanstack/react-query'
import { api, type BodyOf, dataOf } from '../client/client.ts'
import { longList } from '../client/long-list.ts'
import { Problem, problemIn } from '../client/problem.ts'
import type { operations } from '../schema.d.ts'

export type ImportSource =
  operations['imports.sources.list']['responses'][200]['content']['application/json']['data'][number]
export type Import =
  operations['imports.show']['responses'][200]['content']['application/json']['data']
export type ImportRow =
  operations['imports.rows.list']['responses'][200]['content']['application/json']['data'][number]
export type NewImport = BodyOf<operations['imports.create']>
export type ImportAgain = BodyOf<operations['imports.resume']>

export const importsKey = ['imports'] as const

/** How often a running import is looked at, in milliseconds. */
const lookMs = 1_000

/** The programs from which links can come. */
export const importSourcesQuery = queryOptions({
  queryKey: [...importsKey, 'sources'],
  queryFn: async ({ signal }): Promise<readonly ImportSource[]> =>
    (await dataOf(api.GET('/api/v1/imports/sources', { signal }))).data,
})

/** The newest imports. */
export const importsQuery = queryOptions({
  queryKey: [...importsKey, 'newest'],
  async queryFn({ signal }): Promise<readonly Import[]> {
    const params = { query: { per_page: 10 } }
    return (await dataOf(api.GET('/api/v1/imports', { params, signal }))).data
  },
})

/** One import, looked at again while it runs. */
export function importQuery(id: string) {
  return queryOptions({
    queryKey: [...importsKey, 'one', id],
    queryFn: async ({ signal }): Promise<Import> =>
      (await dataOf(api.GET('/api/v1/imports/{id}', { params: { path: { id } }, signal }))).data,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? lookMs : false),
  })
}

/** What did not come as it was. */
export function importRowsQuery(id: string) {
  return longList<ImportRow>([...importsKey, 'rows', id], (query, signal) =>
    dataOf(api.GET('/api/v1/imports/{id}/rows', { params: { path: { id }, query }, signal })),
  )
}

export async function beginImport(body: NewImport): Promise<Import> {
  return (await dataOf(api.POST('/api/v1/imports', { body }))).data
}

export async function goOnWithImport(id: string, body: ImportAgain): Promise<Import> {
  const params = { path: { id } }
  return (await dataOf(api.POST('/api/v1/imports/{id}/resume', { params, body }))).data
}

export async function stopImport(id: string): Promise<Import> {
  return (await dataOf(api.DELETE('/api/v1/imports/{id}', { params: { path: { id } } }))).data
}

/** Where a browser downloads the report. */
export function importReportAddress(id: string): string {
  return `/api/v1/imports/${encodeURIComponent(id)}/report`
}

/** Send the file of an import. `fetch` cannot say how much of it is sent. */
export function sendImportFile(
  id: string,
  file: File,
  onSent: (share: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', `/api/v1/imports/${encodeURIComponent(id)}/file`)
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.upload.onprogress = ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0)
    request.onerror = () => reject(new Problem({ status: 0, code: 'unreachable', detail: '' }))
    request.onload = () => {
      if (request.status < 300) return resolve()
      const type = request.getResponseHeader('Content-Type') ?? ''
      const answer = new Response(request.responseText, {
        status: request.status,
        headers: { 'Content-Type': type },
      })
      problemIn(answer).then(reject, reject)
    }
    request.send(file)
  })
}
