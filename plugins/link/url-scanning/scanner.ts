import { isWebAddress, type Later, type Log, parseUrl } from '../../../core/plugin.ts'
import type { BlockLists } from './block-lists.ts'
import type { AskService } from './safe-browsing.ts'

/** The result of a scan of URLs. */
export interface Scan {
  /** What is wrong with each harmful URL, as the end of "This URL is …". */
  readonly found: ReadonlyMap<string, string>
  /** False if the service was needed but did not answer. */
  readonly isAnswered: boolean
}

export type ScanAddresses = (urls: readonly string[]) => Later<Scan>

/**
 * Looks URLs up in the lists, and asks the service, if there is one, about those that are on no list. Returns at once
 * unless it asks the service.
 */
export function createScan(
  lists: Pick<BlockLists, 'find'>,
  askService: AskService | undefined,
  log: Log,
): ScanAddresses {
  return urls => {
    const found = new Map<string, string>()
    for (const text of urls) {
      const url = parseUrl(text)
      const list = url && lists.find(url)
      if (list !== undefined) found.set(text, `on the list ${list}`)
    }
    // The service knows nothing of mail addresses and telephone numbers, and need not hear of them.
    const others = urls.filter(url => !found.has(url) && isWebAddress(url))
    return askService && others.length > 0
      ? askAbout(askService, others, found)
      : { found, isAnswered: true }
  }

  async function askAbout(
    ask: AskService,
    urls: readonly string[],
    found: Scan['found'],
  ): Promise<Scan> {
    try {
      return { found: new Map([...found, ...(await ask(urls))]), isAnswered: true }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      log.warn(`URLs are not checked by Safe Browsing: ${reason}`)
      return { found, isAnswered: false }
    }
  }
}
