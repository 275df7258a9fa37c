import { Button, Stack } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { main } from '../../../api/instance/manifest.ts'
import { ChooseOne } from '../../../shared/choices/choose-one.tsx'
import { openDialog } from '../../../shared/dialogs/open-dialog.ts'
import { bulkTexts } from '../../../texts/bulk.ts'
import { EndChoice } from '../link-form/controls/end-choice.tsx'
import type { FormField } from '../link-form/fields/form-fields.ts'

/** Asks when links expire; null means never. */
export function askEnd(count: number, onChoose: (moment: string | null) => void): void {
  openDialog(bulkTexts.expiryHeading(count), close => (
    <EndForm
      onSubmit={moment => {
        close()
        onChoose(moment)
      }}
    />
  ))
}

/** Asks which host to move links to; null is the host of the instance. */
export function askDomain(
  count: number,
  hosts: readonly string[],
  onChoose: (host: string | null) => void,
): void {
  openDialog(bulkTexts.moveHeading(count), close => (
    <DomainForm
      hosts={hosts}
      onSubmit={host => {
        close()
        onChoose(host)
      }}
    />
  ))
}

const end: FormField = {
  name: 'expires_at',
  shownAs: 'expiresAt',
  label: bulkTexts.ends,
  hint: bulkTexts.endsHint,
  control: 'end',
  schema: {},
  isRequired: false,
  empty: null,
  state: 'on',
}

function EndForm({ onSubmit }: { onSubmit(moment: string | null): void }) {
  const [moment, setMoment] = useState<string | null>(null)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit(moment)
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <EndChoice
          field={end}
          value={moment}
          values={{ expires_at: moment }}
          link={undefined}
          errors={{}}
          onChange={it => setMoment(typeof it === 'string' ? it : null)}
        />
        <Button type="submit">{bulkTexts.save}</Button>
      </Stack>
    </form>
  )
}

interface DomainFormProps {
  readonly hosts: readonly string[]
  onSubmit(host: string | null): void
}

function DomainForm({ hosts, onSubmit }: DomainFormProps) {
  const [host, setHost] = useState(hosts[0] ?? main.host)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit(host === main.host ? null : host)
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <ChooseOne
          label={bulkTexts.domain}
          description={bulkTexts.moveHint}
          data={[...hosts, main.host]}
          value={host}
          onChange={it => it && setHost(it)}
          allowDeselect={false}
          searchable={hosts.length > 10}
        />
        <Button type="submit">{bulkTexts.move}</Button>
      </Stack>
    </form>
  )
}
