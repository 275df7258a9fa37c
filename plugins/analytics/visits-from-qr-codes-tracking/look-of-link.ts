import {
  type Caller,
  type Context,
  type LinkView,
  type Refusal,
  refuse,
} from '../../../core/plugin.ts'
import { ofAccount, ofLink, readLook } from './kept-looks.ts'
import { type Look, usualLook } from './look.ts'

/** The look of a link, or else that of its account, or else the default. */
export async function lookOf(
  db: Context['db'],
  { accountId }: Caller,
  { rowId }: LinkView,
): Promise<{ readonly look: Look; readonly isOwn: boolean }> {
  const own = await readLook(db, ofLink, rowId)
  if (own) return { look: own, isOwn: true }
  return { look: (await readLook(db, ofAccount, accountId)) ?? usualLook, isOwn: false }
}

/** Refuses a colour that cameras cannot tell from the other. */
export function refuseContrast(field: 'dark' | 'light'): Refusal {
  const detail = 'Needs more contrast: scanners only find a dark code on a light background.'
  return refuse('validation_failed', detail, 422, field)
}
