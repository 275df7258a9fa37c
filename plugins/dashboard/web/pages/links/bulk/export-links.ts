import { notifications } from '@mantine/notifications'
import { isAborted } from '../../../api/client/problem.ts'
import { saveFile } from '../../../shared/copy/save-file.ts'
import { notifyDone, notifyProblem } from '../../../shared/notices/notify.ts'
import { formatNumber } from '../../../shared/text/format.ts'
import { texts } from '../../../texts.ts'
import { type Portioned, portionsOf } from './chosen.ts'
import { type LinksFormat, linksFiles } from './links-file.ts'

/**
 * Saves links to a file, from all pages of the list. A notification shows the progress; closing it cancels the
 * export.
 */
export async function exportLinks(of: Portioned, format: LinksFormat): Promise<void> {
  const stop = new AbortController()
  const { signal } = stop
  const id = notifications.show({
    message: texts.exporting.begun,
    loading: true,
    autoClose: false,
    closeButtonProps: { 'aria-label': texts.exporting.stop },
    onClose: () => stop.abort(),
  })
  try {
    const { type, start, end, part } = linksFiles[format]
    const parts = [start]
    let count = 0
    for await (const { links, total } of portionsOf(of, signal)) {
      parts.push(part(links, count === 0))
      count += links.length
      const message = texts.exporting.soFar(formatNumber(count), formatNumber(total))
      notifications.update({ id, message })
    }
    saveFile(new Blob([...parts, end], { type }), `links-${today()}.${format}`)
    notifyDone(texts.exporting.done(count, formatNumber(count)))
  } catch (error) {
    if (!isAborted(error)) notifyProblem(error)
  } finally {
    notifications.hide(id)
  }
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}
