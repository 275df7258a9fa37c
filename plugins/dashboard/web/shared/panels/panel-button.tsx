import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { addressOf, type Filling, type Panel } from '../../api/instance/panels.ts'
import { texts } from '../../texts.ts'
import { confirm } from '../dialogs/confirm.ts'
import { notifyDone } from '../notices/notify.ts'
import { makePasskeyOf } from './make-passkey-of.ts'
import { hasAny, showOnce } from './show-once.tsx'
import { useCall, useRefreshPanels } from './use-call.ts'

export type ButtonOfPanel = Panel['buttons'][number]

export interface PanelButtonProps {
  readonly button: ButtonOfPanel
  readonly fill: Filling
}

/** A button that downloads a file of a plugin, or calls an endpoint of it, after a question if the plugin has one. */
export function PanelButton({ button, fill }: PanelButtonProps) {
  if (button.method !== 'GET') return <Calling button={button} fill={fill} />
  return (
    <Button variant="default" size="sm" component="a" href={addressOf(button, fill)} download>
      {button.label}
    </Button>
  )
}

function Calling({ button, fill }: PanelButtonProps) {
  const { press, isPending } = usePress(button, fill)
  return (
    <Button variant="default" size="sm" loading={isPending} onClick={press}>
      {button.label}
    </Button>
  )
}

export function usePress(
  { label, confirm: question, passkey, done, show, ...call }: ButtonOfPanel,
  fill: Filling,
) {
  const send = useCall(call, fill)
  const sendPasskey = useCall(passkey ?? call, fill)
  const refresh = useRefreshPanels()
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const answer = await send()
      return passkey ? sendPasskey({ passkey: await makePasskeyOf(answer) }) : answer
    },
    onSuccess: answer =>
      hasAny(show, answer) ? showOnce(label, show, answer) : notifyDone(done ?? texts.common.done),
    // Also after a refusal, which shows that the screen is out of date.
    onSettled: () => void refresh(),
  })
  const ask = (text: string) =>
    confirm({ title: label, text, confirm: label, onConfirm: () => mutate() })
  return { press: () => (question ? ask(question) : mutate()), isPending }
}
