import { nameAsSent, pathOf } from '../../../lib/text/casing.ts'
import type { Link } from '../../../links/link.ts'
import { isRefusal, type Refusal } from '../../../plugin/outcomes.ts'
import type { FieldError, Rejection } from '../../send/problem.ts'

/** How many fields are found wrong one after another. */
const most = 5

/** Finds what else is wrong with a link that was refused for a field: it is tried without that one, as long as another is refused. */
export async function allWrong<Body extends object>(
  first: Refusal,
  body: Body,
  sent: unknown,
  tryIt: (body: Body) => Promise<Link | Refusal>,
): Promise<Rejection> {
  const errors: FieldError[] = []
  let rest = body
  let refused: Link | Refusal = first
  while (isRefusal(refused) && refused.field !== undefined && errors.length < most) {
    const { field, code, detail } = refused
    const path = pathOf(field)
    errors.push({ field: nameAsSent(sent, path, 'snake'), code, message: detail })
    const name = String(path[0])
    // No link can do without its original URL.
    if (name === 'originalUrl' || !(name in rest)) break
    rest = Object.fromEntries(Object.entries(rest).filter(([it]) => it !== name)) as Body
    refused = await tryIt(rest)
  }
  return errors.length > 1 ? { ...first, errors } : first
}
