import { ask, type Mount, page, refuse, type VisitorText } from '../../../core/plugin.ts'
import { changeChoices } from './choices.ts'
import { isKind, type KindName } from './kinds.ts'
import type { OwnContext, Tables } from './tables.ts'
import type { Words } from './words/sentences.ts'
import { words } from './words.ts'
import { pageOf } from './written.ts'

/** Where mails of a kind are ended. Below `/api`, where no link can be. */
export const mountKey = 'api/notices'

interface Stop {
  readonly accountId: number
  readonly kind: KindName
}

/** An address that ends mails of a kind to an account. Nobody can make one up, or read it. */
export function stopUrl(
  stop: Stop,
  { links, unstable }: Pick<OwnContext, 'links' | 'unstable'>,
): string {
  const url = new URL(links.mainUrl(`/${mountKey}/stop`))
  url.searchParams.set('of', unstable.secrets.hide(JSON.stringify([stop.accountId, stop.kind])))
  return url.href
}

/**
 * Ends mails of a kind by a POST, as mail programs send it (RFC 8058, section 3.2: as parts, or as a form), and as the page does that a GET shows. A GET changes nothing:
 * programs that look for harmful links open all that are in a mail.
 */
export const stopMount: Mount<never, unknown, Tables> = {
  bodies: ['form', 'multipart'],
  async handle({ path, method, input }, context) {
    const stop = path === 'stop' ? readStop(input.of ?? '', context) : undefined
    if (!stop) return unknownStop
    const { accountId, kind } = stop
    if (method !== 'POST') {
      const about = say(w => w.stop.ask(w.kinds[kind]))
      return ask(about, [], undefined, { text: say(w => w.stop.asked) })
    }
    await changeChoices(accountId, { [kind]: false }, context.db)
    return page({
      heading: say(w => w.stop.done),
      text: say(w => w.stop.asked),
      link: { label: say(w => w.stop.back), url: pageOf('settings', context) },
    })
  },
}

function readStop(hidden: string, { unstable }: Pick<OwnContext, 'unstable'>): Stop | undefined {
  const text = unstable.secrets.reveal(hidden)
  if (text === undefined) return undefined
  const [accountId, kind] = JSON.parse(text)
  return isKind(kind) ? { accountId, kind } : undefined
}

function say(of: (words: Words) => string): VisitorText {
  const { en, de, fr, es } = words
  return { en: of(en), de: of(de), fr: of(fr), es: of(es) }
}

const unknownStop = refuse(
  'not_found',
  {
    en: 'This address ends nothing. Choose in your settings what you are told.',
    de: 'Diese Adresse beendet nichts. Wähle in deinen Einstellungen aus, was du erfährst.',
    fr: 'Cette adresse ne met fin à rien. Choisissez dans vos paramètres ce que vous recevez.',
    es: 'Esta dirección no termina nada. Elige en tus ajustes lo que recibes.',
  },
  404,
)
