import { type Context, file, type Json, type MountRequest } from '../../../core/plugin.ts'
import { failure, type Said } from './answers.ts'
import type { Asked } from './asked.ts'
import { addDomain, deleteDomain, showUser } from './domains.ts'
import { createLink, deleteLink, editLink, listLinks } from './links.ts'
import { linkStats } from './stats.ts'

type Answer = (asked: Asked) => Promise<Said> | Said

const routes: readonly (readonly [RegExp, Readonly<Record<string, Answer>>])[] = [
  [/^health$/, { GET: () => file('text/html; charset=utf-8', 'OK', 0) }],
  [/^links$/, { GET: listLinks, POST: createLink }],
  [/^links\/([\w-]+)$/, { PATCH: editLink, DELETE: deleteLink }],
  [/^links\/([\w-]+)\/stats$/, { GET: linkStats }],
  [/^users$/, { GET: showUser }],
  [/^domains$/, { POST: addDomain }],
  [/^domains\/([\w-]+)$/, { DELETE: deleteDomain }],
]

/** Answers a request below `/api/v2`. */
export async function answerAsked(
  { call, caller, headers, path, query, method, json: body, input }: MountRequest,
  { links, now }: Pick<Context, 'links' | 'now'>,
): Promise<Said> {
  for (const [pattern, methods] of routes) {
    const found = pattern.exec(path.replace(/\/$/, ''))
    const answer = found && Object.hasOwn(methods, method) ? methods[method] : undefined
    if (!found || !answer) continue
    const uuid = found[1] ?? ''
    return answer({ call, caller, headers, query, uuid, links, now, body: objectIn(body, input) })
  }
  return failure(404, 'There is nothing at this address, or not by this method.')
}

function objectIn(body: Json | undefined, input: Asked['body']): Asked['body'] {
  if (body === undefined) return input
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  return isObject ? (body as Asked['body']) : {}
}
