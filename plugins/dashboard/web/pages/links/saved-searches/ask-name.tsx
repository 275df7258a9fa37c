import { useForm } from '@mantine/form'
import { modals } from '@mantine/modals'
import { saveSearch } from '../../../api/saved-searches.ts'
import { DialogForm } from '../../../shared/dialog-form.tsx'
import { NameField } from '../../../shared/name-field.tsx'
import { notifyDone } from '../../../shared/notify.ts'
import { useSubmit } from '../../../shared/use-submit.ts'
import { savedSearchTexts } from '../../../texts/saved-searches.ts'
import { texts } from '../../../texts.ts'

/** Ask what a search shall be called, and save it. */
export function askName(query: string, onSaved: () => Promise<unknown>): void {
  const id = modals.open({
    title: savedSearchTexts.heading,
    closeButtonProps: { 'aria-label': texts.common.close },
    children: (
      <NameForm
        query={query}
        onSaved={async name => {
          modals.close(id)
          notifyDone(savedSearchTexts.saved(name))
          await onSaved()
        }}
      />
    ),
  })
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
