import { useForm } from '@mantine/form'
import { saveSearch } from '../../../api/saved-searches.ts'
import { DialogForm } from '../../../shared/dialog-form.tsx'
import { NameField } from '../../../shared/name-field.tsx'
import { notifyDone } from '../../../shared/notify.ts'
import { openDialog } from '../../../shared/open-dialog.ts'
import { useSubmit } from '../../../shared/use-submit.ts'
import { savedSearchTexts } from '../../../texts/saved-searches.ts'

/** Ask what a search shall be called, and save it. */
export function askName(query: string, onSaved: () => Promise<unknown>): void {
  openDialog(savedSearchTexts.heading, close => (
    <NameForm
      query={query}
      onSaved={async name => {
        close()
        notifyDone(savedSearchTexts.saved(name))
        await onSaved()
      }}
    />
  ))
}

interface NameFormProps {
  readonly query: string
  onSaved(name: string): Promise<unknown>
}

function NameForm({ query, onSaved }: NameFormProps) {
  const form = useForm({ initialValues: { name: '' } })
  const sending = useSubmit(
    form,
    ({ name }) => saveSearch(name, query),
    () => onSaved(form.getValues().name),
  )
  return (
    <DialogForm {...sending} submitLabel={savedSearchTexts.save}>
      <NameField label={savedSearchTexts.name} {...form.getInputProps('name')} />
    </DialogForm>
  )
}
