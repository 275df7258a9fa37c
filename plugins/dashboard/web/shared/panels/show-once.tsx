import { Alert, Button, Stack, Text } from '@mantine/core'
import type { Answer, Panel } from '../../api/instance/panels.ts'
import { panelTexts } from '../../texts/panels.ts'
import { texts } from '../../texts.ts'
import { CodeBlock } from '../copy/code-block.tsx'
import { openDialog } from '../dialogs/open-dialog.ts'
import { IconKey } from '../icons/icons.ts'
import { type Shown, valuesIn } from '../shown/shown-value.ts'
import { Values } from './panel-rows.tsx'

/** Shows what an action was answered, in a dialog that a click beside it does not close: it is nowhere else. */
export function showOnce(title: string, show: Panel['rows'], { data: body }: Answer): void {
  const { data } = (body ?? {}) as { readonly data?: object | null }
  openDialog(title, close => <Once show={show} data={data ?? {}} onClose={close} />, {
    closeOnClickOutside: false,
  })
}

/** Whether there is anything to show. */
export function hasAny(show: Panel['rows'], { data: body }: Answer): boolean {
  const { data } = (body ?? {}) as { readonly data?: object | null }
  return show.some(shown => valuesIn(data ?? {}, shown).length > 0)
}

interface OnceProps {
  readonly show: Panel['rows']
  readonly data: object
  onClose(): void
}

function Once({ show, data, onClose }: OnceProps) {
  return (
    <Stack>
      <Alert variant="default" icon={<IconKey size={18} />}>
        {panelTexts.once}
      </Alert>
      {show.map(shown => (
        <div key={shown.name}>
          <Text size="sm" fw={600}>
            {shown.label}
          </Text>
          {isToCopy(shown) ? (
            <CodeBlock
              code={valuesIn(data, shown).map(String).join('\n')}
              copyLabel={panelTexts.copy(shown.label)}
            />
          ) : (
            <Values shown={shown} data={data} />
          )}
        </div>
      ))}
      <Button onClick={onClose} data-autofocus>
        {texts.common.done}
      </Button>
    </Stack>
  )
}

/** A text as it is, and not a moment, an address or a word. */
function isToCopy({ as, words }: Shown): boolean {
  return as === null && words.length === 0
}
