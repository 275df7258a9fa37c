import {
  type ApiTool,
  type Context,
  isRefusal,
  type Json,
  type MountRequest,
} from '../../../core/plugin.ts'
import { paramsOf } from './describe-tools.ts'

/** What of a request lets a tool be called. */
export type Asking = Pick<MountRequest, 'call' | 'caller'>
/** What confirmations of deletions are made with. */
export interface Confirming {
  readonly secrets: Context['unstable']['secrets']
  readonly now: Context['now']
}
type Arguments = Readonly<Record<string, Json>>

/** What a model reads. */
interface Answer {
  readonly text: string
  readonly isError?: true
  /** What the same call needs to delete what it has shown. */
  readonly deletion?: { readonly confirm: string; readonly what: string }
}

/** How long a deletion that was tried may be confirmed, in milliseconds. */
const confirmedFor = 10 * 60_000

/** Calls the operation of a tool with the token of the request. A deletion is only tried until it is confirmed. */
export async function callTool(
  tool: ApiTool,
  { confirm, ...given }: Arguments,
  asking: Asking,
  { secrets, now }: Confirming,
): Promise<Answer> {
  const missing = paramsOf(tool.path).find(name => textOf(given[name]) === '')
  if (missing !== undefined) return wrong(`${missing} is missing.`)
  if (tool.method !== 'DELETE')
    return ask(tool, confirm === undefined ? given : { ...given, confirm }, asking)
  const owner = await asking.caller(tool.scope)
  if (isRefusal(owner)) return wrong(owner.detail)
  const shown = await asking.call('GET', pathOf(tool, given))
  const found = shown.status === 200 ? shown.body : undefined
  // One that was deleted and restored meanwhile is another one.
  const deletion = JSON.stringify([
    owner.accountId,
    tool.name,
    Object.entries(given).sort(),
    shown.version ?? null,
  ])
  if (confirm === undefined) {
    const confirmation = secrets.hide(`${now().getTime()} ${deletion}`)
    return tryToDelete(tool, given, asking, { found, confirmation })
  }
  const [at, ...what] = (secrets.reveal(textOf(confirm)) ?? '').split(' ')
  const isConfirmed = what.join(' ') === deletion && now().getTime() - Number(at) <= confirmedFor
  if (!isConfirmed) {
    return wrong(
      'This `confirm` is not of this call, or what it would delete was changed since, or it is older than ten minutes. Call again without it.',
    )
  }
  return ask(tool, given, asking)
}

/** Says what would be deleted, as far as the API shows it, and how to delete it. */
async function tryToDelete(
  tool: ApiTool,
  given: Arguments,
  asking: Asking,
  { found, confirmation }: { readonly found: Json | undefined; readonly confirmation: string },
): Promise<Answer> {
  if (tool.tries) {
    const tried = await ask(tool, { ...given, dry_run: true }, asking)
    if (tried.isError) return tried
  }
  const next = 'Nothing is deleted yet. Ask the user, and call again with `confirm` if they agree.'
  const shown = found === undefined ? {} : { would_delete: found }
  const { data = {} } = (found ?? {}) as { readonly data?: Readonly<Record<string, Json>> }
  const what = textOf(data.shortUrl ?? data.name ?? Object.values(given).map(textOf).join(' '))
  return {
    text: JSON.stringify({ ...shown, confirm: confirmation, next }),
    deletion: { confirm: confirmation, what: `${tool.summary}: ${what}` },
  }
}

async function ask(tool: ApiTool, given: Arguments, { call }: Asking): Promise<Answer> {
  const { method } = tool
  const params = paramsOf(tool.path)
  const inQuery = new URLSearchParams()
  const inBody: Record<string, Json> = {}
  for (const [name, value] of Object.entries(given)) {
    if (params.includes(name)) continue
    // What is unknown goes where the API says that it is.
    const isBody = tool.body !== undefined && name !== 'dry_run' && !isParameter(tool, name)
    if (isBody) inBody[name] = value
    else for (const it of Array.isArray(value) ? value : [value]) inQuery.append(name, textOf(it))
  }
  const query = inQuery.size > 0 ? `?${inQuery}` : ''
  const path = `${pathOf(tool, given)}${query}`
  const { status, body } = await call(method, path, tool.body === undefined ? undefined : inBody)
  const text = body === undefined ? 'Done.' : JSON.stringify(body)
  return status < 400 ? { text } : { text, isError: true }
}

function isParameter({ query }: ApiTool, name: string): boolean {
  return Object.hasOwn((query?.properties ?? {}) as object, name)
}

function pathOf({ path }: ApiTool, given: Arguments): string {
  return path.replace(/:([^/]+)/g, (_, name: string) => encodeURIComponent(textOf(given[name])))
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function wrong(text: string): Answer {
  return { text, isError: true }
}
