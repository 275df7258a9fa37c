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

/** More than this takes so long that people want to see how far it is, and to stop it. */
const silently = 100

/** How long one can take a change back, in ms. */
const undoMs = 12_000

/** Do something to links, say what came of it, and offer the way back where there is one. */
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
      tell(result, bulkTexts.stopped(done, total), change, queryClient)
    } else tell(result, change.done(...counted(result.done.length)), change, queryClient)
  } catch (error) {
    // Stopped while they were looked for: nothing was done.
    if (!progress.signal.aborted) throw error
  } finally {
    progress.end()
    await queryClient.invalidateQueries({ queryKey: linksKey })
  }
}

/** A number for the choice of words, and as people write it. */
function counted(count: number): [count: number, shown: string] {
  return [count, formatNumber(count)]
}

function tell(
  { done, failed, reason = '' }: Result,
  message: string,
  { back }: Change,
  queryClient: QueryClient,
): void {
  if (done.length > 0) {
    if (back) offerUndo(message, () => undo(done, back, queryClient))
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

/** How far it is, for many; few are done before anybody could read it. */
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
