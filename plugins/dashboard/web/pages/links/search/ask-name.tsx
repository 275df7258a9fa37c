import { useForm } from '@mantine/form'
import { saveSearch } from '../../../api/links/saved-searches.ts'
import { openDialog } from '../../../shared/dialogs/open-dialog.ts'
import { DialogForm } from '../../../shared/forms/dialog-form.tsx'
import { NameField } from '../../../shared/forms/name-field.tsx'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { notifyDone } from '../../../shared/notices/notify.ts'
import { savedSearchTexts } from '../../../texts/saved-searches.ts'

/** Asks for the name of a search, and saves it. */
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
