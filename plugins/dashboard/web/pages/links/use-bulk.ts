import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type BulkResult, deleteLinks, type Link, linksKey, updateLinks } from '../../api/links.ts'
import { notifyDone, notifyFailed } from '../../shared/notify.ts'
import { texts } from '../../texts.ts'

interface Work {
  run(): Promise<BulkResult>
  /** Says how many it was done to. */
  done(count: number): string
}

/** What can be done to one link or many; each says what came of it, and the lists follow. */
export function useBulk(onDone: () => void = () => undefined) {
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ run, done }: Work) => ({ ...(await run()), say: done }),
    async onSuccess({ done, failed, reason = '', say }) {
      if (done > 0) notifyDone(say(done))
      if (failed > 0) notifyFailed(texts.links.failed(failed, reason))
      onDone()
      await queryClient.invalidateQueries({ queryKey: linksKey })
    },
  })
  const idsOf = (links: readonly Link[]) => links.map(({ id }) => id)

  return {
    isPending,
    archive: (links: readonly Link[], archived: boolean) =>
      mutate({
        run: () => updateLinks(idsOf(links), { archived }),
        done: archived ? texts.links.archived : texts.links.unarchived,
      }),
    remove: (links: readonly Link[]) =>
      mutate({ run: () => deleteLinks(idsOf(links)), done: texts.links.deleted }),
    tag: (links: readonly Link[], tagId: string) =>
      mutate({
        run: () => changeTags(links, ids => [...ids, tagId]),
        done: texts.links.tagged,
      }),
    untag: (links: readonly Link[], tagId: string) =>
      mutate({
        run: () => changeTags(links, ids => ids.filter(id => id !== tagId)),
        done: texts.links.untagged,
      }),
    /** Null takes them out of theirs. */
    move: (links: readonly Link[], campaignId: string | null) =>
      mutate({
        run: () => updateLinks(idsOf(links), { campaign_id: campaignId }),
        done: campaignId === null ? texts.links.takenOut : texts.links.moved,
      }),
  }
}

/** Links that have the same tags are changed together: what the API takes is the whole list of them. */
async function changeTags(
  links: readonly Link[],
  change: (ids: readonly string[]) => readonly string[],
): Promise<BulkResult> {
  const idsByTags = new Map<string, string[]>()
  for (const { id, tags = [] } of links) {
    const wanted = JSON.stringify([...new Set(change(tags.map(it => it.id)))].sort())
    idsByTags.set(wanted, [...(idsByTags.get(wanted) ?? []), id])
  }
  const results = await Promise.all(
    [...idsByTags].map(([tags, ids]) => updateLinks(ids, { tag_ids: JSON.parse(tags) })),
  )
  return {
    done: results.reduce((sum, it) => sum + it.done, 0),
    failed: results.reduce((sum, it) => sum + it.failed, 0),
    reason: results.find(it => it.reason)?.reason,
  }
}
