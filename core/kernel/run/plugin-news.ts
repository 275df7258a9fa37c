import { untilDone } from '../../lib/async/until-done.ts'
import type { PluginNews } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import type { News } from '../../storage/news.ts'
import type { Containment } from '../contain/contain.ts'

/** Messages between the copies of a plugin on several servers; `db` may be a transaction. */
export interface NewsOfPlugin {
  tell(db: Database, what?: string): Promise<void>
  readonly on: PluginNews['on']
}

/** A listener that fails because the database is unavailable is called again, without `what`, until it succeeds. */
export function newsOfPlugin(
  feature: string,
  { news, contain, signal }: { news: News; contain: Containment; signal: AbortSignal },
): NewsOfPlugin {
  const topic = `plugin ${feature}`
  return {
    tell: (db, what) => news.tell(db, topic, what),
    on(listener) {
      const hear = async (what?: string) => {
        const heard = await contain.run(feature, 'on', async () => listener(what), {
          part: 'on.news',
        })
        return heard.ok || !heard.isUnavailable
      }
      const hearAnything = untilDone(() => hear(), signal)
      const hearOnce = async (what?: string) => {
        if (!(await hear(what))) hearAnything()
      }
      news.on(topic, hearOnce, signal)
    },
  }
}
