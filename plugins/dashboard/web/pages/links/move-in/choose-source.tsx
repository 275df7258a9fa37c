import { Alert, Button, FileButton, SegmentedControl, Switch } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type DragEvent, useState } from 'react'
import { profileQuery } from '../../../api/account/profile.ts'
import { Problem } from '../../../api/client/problem.ts'
import { said } from '../../../api/client/said.ts'
import {
  beginImport,
  type Import,
  type ImportSource,
  type NewImport,
} from '../../../api/links/imports.ts'
import { ChooseOne } from '../../../shared/choices/choose-one.tsx'
import { FieldControl } from '../../../shared/fields/controls/field-control.tsx'
import type { Values } from '../../../shared/fields/values.ts'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { IconAlertCircle, IconFileImport } from '../../../shared/icons/icons.ts'
import { FormProblem } from '../../../shared/notices/form-problem.tsx'
import { moveInTexts } from '../../../texts/many.ts'
import classes from '../import/import.module.css'
import { ChooseHost, hostsOf, type MovedHost, MovedHosts } from './moved-hosts.tsx'
import { fieldsOf, settingsOf, startOf } from './source-fields.ts'

/** What was chosen, for when the import goes on: a key is stored nowhere. */
export interface Chosen {
  readonly settings: Record<string, unknown>
  readonly file: File | undefined
}

export interface ChooseSourceProps {
  readonly sources: readonly ImportSource[]
  onBegun(run: Import, chosen: Chosen): void
}

/** Says from where links come, and how. */
export function ChooseSource({ sources, onBegun }: ChooseSourceProps) {
  const [name, setName] = useState<string | null>(null)
  const source = sources.find(it => it.name === name)
  return (
    <div className={classes.card}>
      <ChooseOne
        label={moveInTexts.source}
        placeholder={moveInTexts.chooseSource}
        data={sources.map(it => ({ value: it.name, label: it.label }))}
        value={name}
        onChange={setName}
        allowDeselect={false}
      />
      {source && <SourceForm key={source.name} source={source} onBegun={onBegun} />}
    </div>
  )
}

interface SourceFormProps {
  readonly source: ImportSource
  onBegun(run: Import, chosen: Chosen): void
}

function SourceForm({ source, onBegun }: SourceFormProps) {
  const [file, setFile] = useState<File | null>(null)
  const form = useForm<Record<string, unknown>>({
    initialValues: {
      ...{ hosts: [], host: '', onTaken: 'refuse', counts: true, isStrict: false },
      ...{ byOwner: false, keys: false },
      ...startOf(source),
    },
  })
  const [isDry, setIsDry] = useState(true)
  const { data: profile } = useSuspenseQuery(profileQuery)
  const takesFile = source.file !== null && source.file.refusal === null
  const isMissing = source.file !== null && !source.file.isOptional && !file
  const { submit, isPending, problem } = useSubmit(
    form,
    async values => {
      const settings = settingsOf(source, values)
      const run = await withPlainNames(() => beginImport(bodyOf(source, values, { file, isDry })))
      return { run, chosen: { settings, file: file ?? undefined } }
    },
    ({ run, chosen }: { run: Import; chosen: Chosen }) => onBegun(run, chosen),
  )
  const drop = (event: DragEvent) => {
    event.preventDefault()
    if (takesFile) setFile(event.dataTransfer.files[0] ?? null)
  }
  return (
    <form
      className={classes.preview}
      onSubmit={submit}
      onDragOver={event => event.preventDefault()}
      onDrop={drop}
    >
      <p className={classes.hint}>{source.about}</p>
      {source.file?.refusal && (
        <Alert color="linnet" variant="light" icon={<IconAlertCircle size={18} />}>
          {said(source.file.refusal)}
        </Alert>
      )}
      {source.file && takesFile && (
        <div className={classes.buttons}>
          <FileButton onChange={setFile} accept={acceptOf(source.file.endings)}>
            {props => (
              <Button {...props} variant="default" leftSection={<IconFileImport size={18} />}>
                {moveInTexts.chooseFile}
              </Button>
            )}
          </FileButton>
          <span className={classes.hint} role="status">
            {file?.name ??
              (source.file.isOptional ? moveInTexts.fileOrServer : moveInTexts.dropHint)}
          </span>
        </div>
      )}
      {fieldsOf(source).map(field => (
        <FieldControl
          key={field.name}
          field={field}
          value={form.values[field.name]}
          errors={form.errors as Readonly<Record<string, string>>}
          onChange={value => form.setFieldValue(field.name, value)}
        />
      ))}
      <MovedHosts
        hosts={form.values.hosts as readonly MovedHost[]}
        onChange={hosts => form.setFieldValue('hosts', hosts)}
      />
      <ChooseHost
        label={moveInTexts.host}
        description={moveInTexts.hostHint}
        value={String(form.values.host)}
        onChange={host => form.setFieldValue('host', host)}
      />
      <div className={classes.choice}>
        <span id="on-taken">{moveInTexts.onTaken}</span>
        <SegmentedControl
          size="xs"
          aria-labelledby="on-taken"
          data={[
            { value: 'refuse', label: moveInTexts.onTakens.refuse },
            { value: 'new', label: moveInTexts.onTakens.new },
          ]}
          value={String(form.values.onTaken)}
          onChange={value => form.setFieldValue('onTaken', value)}
        />
      </div>
      <Switch label={moveInTexts.counts} {...form.getInputProps('counts', { type: 'checkbox' })} />
      <Switch
        label={moveInTexts.strict}
        {...form.getInputProps('isStrict', { type: 'checkbox' })}
      />
      {profile.isAdmin && (
        <Switch
          label={moveInTexts.byOwner}
          description={moveInTexts.byOwnerHint}
          {...form.getInputProps('byOwner', { type: 'checkbox' })}
        />
      )}
      <Switch
        label={moveInTexts.keys}
        description={moveInTexts.keysHint}
        {...form.getInputProps('keys', { type: 'checkbox' })}
      />
      <FormProblem problem={problem} />
      <div className={classes.buttons}>
        <Button
          type="submit"
          loading={isPending && isDry}
          disabled={isMissing}
          onClick={() => setIsDry(true)}
        >
          {moveInTexts.tryIt}
        </Button>
        <Button
          type="submit"
          variant="default"
          loading={isPending && !isDry}
          disabled={isMissing}
          onClick={() => setIsDry(false)}
        >
          {moveInTexts.importAtOnce}
        </Button>
      </div>
    </form>
  )
}

function bodyOf(
  source: ImportSource,
  values: Values,
  { file, isDry }: { readonly file: File | null; readonly isDry: boolean },
): NewImport {
  return {
    source: source.name,
    settings: settingsOf(source, values),
    options: {
      hosts: hostsOf(values.hosts as readonly MovedHost[]),
      host: String(values.host) || null,
      on_taken: values.onTaken === 'new' ? 'new' : 'refuse',
      counts: values.counts === true,
      is_strict: values.isStrict === true,
      by_owner: values.byOwner === true,
      keys: values.keys === true,
    },
    dry_run: isDry,
    ...(source.file && { with_file: file !== null }),
    ...(file && { file_name: file.name.slice(-255) }),
  } as NewImport
}

/** A file may be packed, whatever its name was before. */
function acceptOf(endings: readonly string[]): string {
  return [...endings, '.gz'].join(',')
}

/** Names of settings and options as the form has them. */
async function withPlainNames<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { status, code, message: detail } = error
    const errors = Object.entries(error.fields).map(([field, message]) => ({
      field: field
        .replace(/^(settings|options)\./, '')
        .replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      message,
    }))
    throw new Problem({ status, code, detail, errors })
  }
}
