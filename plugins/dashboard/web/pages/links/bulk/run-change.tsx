import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { QueryClient } from '@tanstack/react-query'
import { type Link, linksKey } from '../../../api/links/links.ts'
import { notifyDone, notifyFailed } from '../../../shared/notices/notify.ts'
import { formatNumber } from '../../../shared/text/format.ts'
import { bulkTexts } from '../../../texts/bulk.ts'
import { texts } from '../../../texts.ts'
import type { Change } from './changes.ts'
import { type Chosen, countOf, linksOf } from './chosen.ts'
import { type Result, sendChange, takeBack } from './send-change.ts'

/** With more links than this, a change takes so long that people want to see its progress and to stop it. */
const silently = 100

/** How long a change can be undone, in milliseconds. */
const undoMs = 12_000

/** Runs a change on links, reports the result, and offers to undo it if that is possible. */
export async function runChange(
  chosen: Chosen,
  change: Change,
  queryClient: QueryClient,
): Promise<void> {
  const progress = showProgress(countOf(chosen))
  try {
    const links = await linksOf(chosen, progress.signal)
    const result = await sendChange(links, change.to, progress)
    if (progress.signal.aborted) {
      const [done, total] = [formatNumber(result.done.length), formatNumber(links.length)]
      await tell(result, bulkTexts.stopped(done, total), change, queryClient)
    } else await tell(result, change.done(...counted(result.done.length)), change, queryClient)
  } catch (error) {
    // It was stopped while the links were being read, so nothing was changed.
    if (!progress.signal.aborted) throw error
  } finally {
    progress.end()
    await queryClient.invalidateQueries({ queryKey: linksKey })
  }
}

/** A number to choose the plural by, and the same number formatted. */
function counted(count: number): [count: number, shown: string] {
  return [count, formatNumber(count)]
}

/** Says what was done, and offers to undo it if that is possible. */
export async function tell(
  { done, failed, reason = '' }: Result,
  message: string,
  { back, canTakeBack }: Change,
  queryClient: QueryClient,
): Promise<void> {
  if (done.length > 0) {
    if (back && (await canTakeBack?.().catch(() => false)) !== false)
      offerUndo(message, () => undo(done, back, queryClient))
    else notifyDone(message)
  }
  if (failed > 0) notifyFailed(bulkTexts.failed(...counted(failed), reason))
}

async function undo(
  links: readonly Link[],
  back: NonNullable<Change['back']>,
  queryClient: QueryClient,
): Promise<void> {
  const progress = showProgress(links.length)
  const { done, failed, reason = '' } = await takeBack(links, back, progress)
  progress.end()
  if (done.length > 0 || failed === 0)
    notifyDone(bulkTexts.undone(...counted(links.length - failed)))
  if (failed > 0) notifyFailed(bulkTexts.failed(...counted(failed), reason))
  await queryClient.invalidateQueries({ queryKey: linksKey })
}

function offerUndo(message: string, onUndo: () => Promise<void>): void {
  const id = notifications.show({
    color: 'teal',
    autoClose: undoMs,
    closeButtonProps: { 'aria-label': texts.common.close },
    message: (
      <Group justify="space-between" gap="xs" wrap="nowrap">
        {message}
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            notifications.hide(id)
            void onUndo()
          }}
        >
          {bulkTexts.undo}
        </Button>
      </Group>
    ),
  })
}

/** Shows the progress of a change with many links; with few, it is over before anybody could read it. */
function showProgress(total: number) {
  const stop = new AbortController()
  const contents = (said: string) => ({
    loading: true,
    autoClose: false as const,
    withCloseButton: false,
    message: (
      <Group justify="space-between" gap="xs" wrap="nowrap">
        {said}
        <Button size="compact-sm" variant="default" onClick={() => stop.abort()}>
          {bulkTexts.stop}
        </Button>
      </Group>
    ),
  })
  const id = total > silently ? notifications.show(contents(bulkTexts.looking)) : undefined
  return {
    signal: stop.signal,
    say(tried: number) {
      if (id === undefined) return
      const said = bulkTexts.progress(formatNumber(tried), formatNumber(total))
      notifications.update({ id, ...contents(said) })
    },
    end() {
      if (id !== undefined) notifications.hide(id)
    },
  }
}
