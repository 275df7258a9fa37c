import { Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { main } from '../../../../api/instance/manifest.ts'
import { pathsQuery } from '../../../../api/links/paths.ts'
import { inputProps, textOf } from '../../../../shared/fields/control-props.ts'
import { pathsTexts } from '../../../../texts/link-form.ts'
import type { LinkControlProps } from '../fields/link-control-props.ts'
import classes from './paths-choice.module.css'

const typingMs = 250

/** What the example in the preview has behind the code. */
const rest = 'one/two'

/** Whether paths after the code are appended or put into a template, with an example of where the link leads then. */
export function PathsChoice(props: LinkControlProps) {
  const { field, values, link, onChange } = props
  const { error, required, description, ...input } = inputProps(props)
  const paths = textOf(props.value)
  const kind = paths === '' ? 'off' : paths === 'append' ? 'append' : 'template'
  const code = textOf(link?.shortCode ?? values.short_code) || '…'
  const domain = textOf(link?.domain ?? values.domain) || main.host
  return (
    <div>
      <Select
        {...input}
        data={(['off', 'append', 'template'] as const).map(value => ({
          value,
          label: pathsTexts[value],
        }))}
        value={kind}
        allowDeselect={false}
        error={kind === 'template' ? undefined : error}
        onChange={value => onChange(value === 'off' ? field.empty : starts[value ?? 'append'])}
      />
      {kind === 'template' && (
        <TextInput
          mt="sm"
          label={pathsTexts.templateLabel}
          description={pathsTexts.templateHint}
          error={error}
          readOnly={input.readOnly}
          disabled={input.disabled}
          autoComplete="off"
          spellCheck={false}
          value={paths}
          onChange={({ currentTarget: { value } }) => onChange(value === '' ? '/' : value)}
        />
      )}
      {kind !== 'off' && (
        <Example
          {...{ paths, originalUrl: textOf(values.original_url), at: `${domain}/${code}` }}
        />
      )}
    </div>
  )
}

const starts: Readonly<Record<string, string>> = { append: 'append', template: '/{*}' }

interface ExampleProps {
  readonly paths: string
  readonly originalUrl: string
  /** The short URL. */
  readonly at: string
}

/** An example of a visit; nothing while something typed is wrong. */
function Example({ paths, originalUrl, at }: ExampleProps) {
  const names = [...paths.matchAll(/\{query\.([^{}|]+)/g)].map(([, name]) => name)
  const query = [...new Set(names)].map(name => `${name}=value`).join('&')
  const [asked] = useDebouncedValue({ paths, original_url: originalUrl, rest, query }, typingMs)
  const { data } = useQuery({ ...pathsQuery(asked), enabled: asked.original_url !== '' })
  if (!data) return null
  return (
    <p className={classes.example} role="status">
      {pathsTexts.example} <code>{`${at}/${rest}${query && `?${query}`}`}</code> →{' '}
      <code>{data}</code>
    </p>
  )
}
