import { areKept } from '../../../api/links/deleted-links.ts'
import type { Link, LinkChange } from '../../../api/links/links.ts'
import { bulkTexts } from '../../../texts/bulk.ts'
import { texts } from '../../../texts.ts'

/** What becomes of a link. */
export type To = LinkChange | 'deleted' | 'restored'

/** An action on links. */
export interface Change {
  /** The change to each link. */
  readonly to: To
  /** The change that undoes it for a link that was like this one; undefined if there is nothing to undo. */
  back?(link: Link): To | undefined
  /** Whether that is possible now. Default: it is. */
  canTakeBack?(): Promise<boolean>
  /** Says how many links were changed; `shown` is the formatted number. */
  done(count: number, shown: string): string
}

export function archive(archived: boolean): Change {
  return {
    to: { archived },
    back: link => (link.archived === archived ? undefined : { archived: link.archived }),
    done: archived ? bulkTexts.archived : bulkTexts.unarchived,
  }
}

export function addTag(id: string): Change {
  return {
    to: { add_tag_ids: [id] },
    back: link => (hasTag(link, id) ? undefined : { remove_tag_ids: [id] }),
    done: bulkTexts.tagged,
  }
}

export function removeTag(id: string): Change {
  return {
    to: { remove_tag_ids: [id] },
    back: link => (hasTag(link, id) ? { add_tag_ids: [id] } : undefined),
    done: bulkTexts.untagged,
  }
}

/** Null removes the links from their campaign. */
export function putIntoCampaign(id: string | null): Change {
  return {
    to: { campaign_id: id },
    back: ({ campaign }) => ({ campaign_id: campaign?.id ?? null }),
    done: id === null ? bulkTexts.inNoCampaign : bulkTexts.inCampaign,
  }
}

/** Null means that they never expire. */
export function endAt(moment: string | null): Change {
  return {
    to: { expires_at: moment },
    back: ({ expiresAt }) => ({ expires_at: expiresAt ?? null }),
    done: moment === null ? bulkTexts.endless : bulkTexts.ending,
  }
}

/** Null is the host of the instance. */
export function moveTo(domain: string | null): Change {
  return { to: { domain }, back: link => ({ domain: link.domain }), done: bulkTexts.moved }
}

export const remove: Change = {
  to: 'deleted',
  back: () => 'restored',
  canTakeBack: areKept,
  done: texts.links.deleted,
}

export function hasTag({ tags }: Link, id: string): boolean {
  return tags?.some(it => it.id === id) ?? false
}
