import { texts } from '../../texts.ts'
import { notifyDone, notifyFailed } from '../notices/notify.ts'
import { copyText } from './copy-text.ts'

/** Copy a short URL where no button could show a tick, and report the result. */
export async function copyLink(shortUrl: string): Promise<void> {
  if (await copyText(shortUrl)) notifyDone(texts.links.copied(shortUrl))
  else notifyFailed(texts.errors.notCopied(shortUrl))
}
