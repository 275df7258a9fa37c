import { readAgent } from '../../lib/agent.ts'
import { ownText } from '../../lib/memory/copies.ts'
import { clientKey } from '../../lib/net/client-key.ts'
import type { Agent, ImaginedVisit, LinkView, Place, UnknownVisit, Visit } from '../../plugin.ts'
import type { PlaceOf } from './place.ts'

/** A visit as the redirect hands it over: plain data, with nothing derived yet. */
export interface RawVisit extends VisitRequest {
  readonly link: TrackedLink
  /** Whether the visitor asked not to be tracked: `Sec-GPC: 1` or `DNT: 1`. */
  readonly totalsOnly: boolean
}

/** What a request tells about its visit. */
interface VisitRequest {
  /** Milliseconds since 1970 UTC. */
  readonly at: number
  readonly ip: string
  readonly userAgent: string
  readonly referer: string
  readonly language: string
  /** As sent, without the question mark. */
  readonly query: string
  /** What targets noted, by feature; absent if no target routed it. */
  readonly variants?: Readonly<Record<string, string>>
  /** What stood behind the short code; never counted. */
  readonly rest?: string
}

/** A link with what is needed to count its visits; all visits of a link share one object. */
export interface TrackedLink {
  /** Row id. */
  readonly id: number
  readonly view: LinkView
  readonly owner: Owner
}

/** The owner of a link, and what the owner's plan allows to be counted. */
export interface Owner {
  readonly accountId: number
  /** Names of dimensions. */
  readonly collect: readonly string[]
  /** Per calendar month in UTC. */
  readonly maxTrackedVisits: number
}

const none: Visit['variants'] = {}

const maxHeaderBytes = 512
const maxQueryBytes = 2_048

/** The visit as plugins see it; derived facts are worked out when they are first read. */
export function openVisit(
  raw: VisitRequest & { readonly link: Pick<TrackedLink, 'view'> },
  placeOf: PlaceOf,
  answers: Readonly<Record<string, string>> = {},
): Visit {
  const { link, variants = none, rest = '' } = raw
  const cut = cutHeaders(raw)
  const parts = { answers: Object.freeze(answers), variants: Object.freeze(variants) }
  const more = { ip: cut.ip, link: link.view, ...parts, rest }
  return Object.assign(openRequest(cut, placeOf), more)
}

/** A visit to a path that leads to no link, as plugins see it. */
export function openUnknown(
  request: VisitRequest,
  where: Pick<UnknownVisit, 'host' | 'accountId' | 'path'>,
  placeOf: PlaceOf,
): UnknownVisit {
  return Object.freeze(Object.assign(openRequest(cutHeaders(request), placeOf), where))
}

function openRequest(
  { at, ip, userAgent, referer, language, query: sent }: VisitRequest,
  placeOf: PlaceOf,
): Omit<UnknownVisit, 'host' | 'accountId' | 'path'> {
  let visitor: string | undefined
  let agent: Agent | undefined
  let place: Place | undefined
  return {
    // What can be changed is new each time: one visit is shown to several plugins.
    get at() {
      return new Date(at)
    },
    userAgent,
    referer,
    language,
    get visitor() {
      visitor ??= clientKey(ip)
      return visitor
    },
    get query() {
      return new URLSearchParams(sent)
    },
    get agent() {
      agent ??= readAgent(userAgent)
      return agent
    },
    get place() {
      place ??= placeAt(ip, placeOf)
      return place
    },
  }
}

/** Each fact is looked up when it is first read. */
function placeAt(ip: string, placeOf: PlaceOf): Place {
  const found: { country?: Place['country']; city?: Place['city'] } = {}
  return Object.freeze({
    get country() {
      if (!('country' in found)) found.country = placeOf.country(ip)
      return found.country
    },
    get city() {
      if (!('city' in found)) found.city = placeOf.city(ip)
      return found.city
    },
  })
}

/** A visit that nobody made, for trying things out. */
export function imagineVisit(link: LinkView, imagined: ImaginedVisit, placeOf: PlaceOf): Visit {
  const raw = { ...imagined, at: imagined.at.getTime(), referer: '', link: { view: link } }
  return openVisit(raw, placeOf)
}

/** The same visit, cut to the length that counting needs: a queue full of long ones must not fill the memory. */
export function cutForCounting(raw: RawVisit): RawVisit {
  const visit = cutHeaders(raw)
  if (visit.query.length <= maxQueryBytes) return visit
  return { ...visit, query: ownText(visit.query.slice(0, maxQueryBytes)) }
}

/** Returns an ordinary visit as it is. */
function cutHeaders<Raw extends VisitRequest>(raw: Raw): Raw {
  const { userAgent, referer, language } = raw
  const isOrdinary =
    userAgent.length <= maxHeaderBytes &&
    referer.length <= maxHeaderBytes &&
    language.length <= maxHeaderBytes
  if (isOrdinary) return raw
  return {
    ...raw,
    userAgent: ownText(userAgent.slice(0, maxHeaderBytes)),
    referer: ownText(referer.slice(0, maxHeaderBytes)),
    language: ownText(language.slice(0, maxHeaderBytes)),
  }
}
