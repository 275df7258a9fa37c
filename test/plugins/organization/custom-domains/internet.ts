import type { Fetch } from '../../../../core/plugin.ts'
import { FetchFailed } from '../../../../core/plugin.ts'

/** What the DNS and the web servers of others say, in a test. */
export interface Internet {
  /** TXT records by name. */
  readonly txt: Map<string, readonly string[]>
  /** Files by address; `at`: where a redirect ended. */
  readonly files: Map<string, { readonly text: string; readonly at?: string }>
  readonly resolveTxt: (name: string) => Promise<readonly string[]>
  readonly fetch: Fetch
}

export function makeInternet(): Internet {
  const txt: Internet['txt'] = new Map()
  const files: Internet['files'] = new Map()
  return {
    txt,
    files,
    resolveTxt: async name => txt.get(name) ?? [],
    fetch: async url => {
      const file = files.get(url)
      if (!file) throw new FetchFailed(`${new URL(url).host} does not answer: nobody is there.`)
      return {
        status: 200,
        url: file.at ?? url,
        headers: new Headers(),
        body: Buffer.from(file.text),
        isWhole: true,
      }
    },
  }
}
