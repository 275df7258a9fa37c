import type { Context, Json, MountRequest } from '../../../core/plugin.ts'
import { json, problem, type Said } from './answers.ts'
import { type Asked, decoded } from './asked.ts'
import { changeRedirects, listDomains } from './domains.ts'
import { setRules, showRules } from './redirect-rules.ts'
import {
  createShortUrl,
  deleteShortUrl,
  editShortUrl,
  listShortUrls,
  shortenByAddress,
  showShortUrl,
} from './short-urls.ts'
import { deleteTags, listTags, renameTag, tagStats } from './tags.ts'
import {
  deleteOrphanVisits,
  domainVisits,
  nonOrphanVisits,
  orphanVisits,
  shortUrlVisits,
  tagVisits,
  visitsOverview,
} from './visits.ts'

/** Clients switch on what a version has, so this is the last one of which all is served. */
const version = '5.1.0'

type Answer = (asked: Asked) => Promise<Said> | Said

/** The first that fits answers. Codes may have slashes, so what is behind them comes first. */
const routes: readonly (readonly [RegExp, Readonly<Record<string, Answer>>])[] = [
  [/^health$/, { GET: health }],
  [/^short-urls$/, { GET: listShortUrls, POST: createShortUrl }],
  [/^short-urls\/shorten$/, { GET: shortenByAddress }],
  [/^short-urls\/(.+)\/redirect-rules$/, { GET: showRules, POST: setRules }],
  [/^short-urls\/(.+)\/visits$/, { GET: shortUrlVisits, DELETE: keepVisits }],
  [
    /^short-urls\/(.+)$/,
    { GET: showShortUrl, PATCH: editShortUrl, PUT: editShortUrl, DELETE: deleteShortUrl },
  ],
  [/^visits$/, { GET: visitsOverview }],
  [/^visits\/orphan$/, { GET: orphanVisits, DELETE: deleteOrphanVisits }],
  [/^visits\/non-orphan$/, { GET: nonOrphanVisits }],
  [/^tags$/, { GET: listTags, PUT: renameTag, DELETE: deleteTags }],
  [/^tags\/stats$/, { GET: tagStats }],
  [/^tags\/(.+)\/visits$/, { GET: tagVisits }],
  [/^domains$/, { GET: listDomains }],
  [/^domains\/redirects$/, { PATCH: changeRedirects }],
  [/^domains\/(.+)\/visits$/, { GET: domainVisits }],
  [/^mercure-info$/, { GET: noMercure }],
]

/** Answers a request below `/rest`. Older versions of the API have the same addresses. */
export async function answerAsked(
  { call, caller, path, query, method, json: body, input }: MountRequest,
  { links, now }: Pick<Context, 'links' | 'now'>,
): Promise<Said> {
  const [, rest = ''] = /^(?:v[1-3]\/)?(.*)$/s.exec(path) ?? []
  for (const [pattern, methods] of routes) {
    const found = pattern.exec(rest)
    const answer = found && Object.hasOwn(methods, method) ? methods[method] : undefined
    if (!found || !answer) {
      if (found) break
      continue
    }
    const named = decoded(found[1] ?? '')
    return answer({ call, caller, path, query, named, links, now, body: objectIn(body, input) })
  }
  return problem(
    { path },
    404,
    'not-found',
    'There is nothing at this address, or not by this method.',
  )
}

function objectIn(body: Json | undefined, input: Asked['body']): Asked['body'] {
  if (body === undefined) return input
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  return isObject ? (body as Asked['body']) : {}
}

function health({ links }: Asked): Said {
  const about = { about: links.apiUrl('/openapi.json') }
  return { ...json({ status: 'pass', version, links: about }), type: 'application/health+json' }
}

function noMercure({ path }: Asked): Said {
  return problem(
    { path },
    501,
    'mercure-not-configured',
    'This server tells of visits in other ways.',
  )
}

function keepVisits({ path }: Asked): Said {
  return problem({ path }, 501, 'not-found', 'Visits of a link are deleted only with the link.')
}
