import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { main } from '../../../../api/instance/manifest.ts'
import { codeQuery } from '../../../../api/links/short-codes.ts'
import { inputProps, textOf } from '../../../../shared/fields/control-props.ts'
import { codesTexts } from '../../../../texts/link-form.ts'
import type { LinkControlProps } from '../fields/link-control-props.ts'
import classes from './code-choice.module.css'

const typingMs = 250

/** What may be a short code on some host; which ones this host has, the server says. */
const isCode = (text: string) => /^[^\s%?#\\,]{1,255}$/.test(text)

/** The short code of a link after its host. While one types, it says whether the code is available. */
export function CodeChoice(props: LinkControlProps) {
  const { field, link, values, onChange } = props
  const { description, error, readOnly, ...input } = inputProps(props)
  const code = textOf(props.value)
  const domain = textOf(link?.domain ?? values.domain) || undefined
  return (
    <TextInput
      {...input}
      readOnly={readOnly}
      error={error}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      placeholder={link ? undefined : codesTexts.random}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      description={
        readOnly ? (
          description
        ) : (
          <State
            {...{ code, domain, link, hint: field.hint, isRefused: Boolean(error), onChange }}
          />
        )
      }
      descriptionProps={{ component: 'div' }}
      inputContainer={children => (
        <div className={classes.row}>
          <span className={classes.host} title={domain ?? main.host}>
            {domain ?? main.host}/
          </span>
          {children}
        </div>
      )}
      value={code}
      onChange={({ currentTarget: { value } }) => onChange(value === '' ? field.empty : value)}
    />
  )
}

interface StateProps extends Pick<LinkControlProps, 'link' | 'onChange'> {
  readonly code: string
  readonly domain: string | undefined
  readonly hint: string | null
  /** Whether an error above says already what is wrong. */
  readonly isRefused: boolean
}

/** The state of the typed code, below the input. Screen readers hear it once it is known. */
function State({ code, domain, link, hint, isRefused, onChange }: StateProps) {
  const [asked] = useDebouncedValue(code, typingMs)
  const isOwn = code === link?.shortCode || (link?.formerShortCodes?.includes(code) ?? false)
  const isAsked = isCode(asked) && asked === code && !isOwn
  const { data, isError } = useQuery({ ...codeQuery(asked, domain), enabled: isAsked })
  if (code === '' || isOwn || isError) return <>{hint}</>
  const other = { isRefused, take: onChange }
  const malformed = <Other text={codesTexts.malformed} code={tidy(code)} {...other} />
  if (!isCode(code)) return malformed
  if (!isAsked || !data) return <span role="status">{codesTexts.asking}</span>
  if (data.reason === 'malformed') return malformed
  if (data.reason === null) {
    return (
      <span role="status" className={classes.free}>
        {codesTexts.free}
      </span>
    )
  }
  return <Other text={codesTexts[data.reason]} code={data.suggestion} {...other} />
}

interface OtherProps extends Pick<StateProps, 'isRefused'> {
  readonly text: string
  readonly code: string | null
  take(code: string): void
}

function Other({ text, code, isRefused, take }: OtherProps) {
  return (
    <span role="status" className={classes.other}>
      {!isRefused && <span>{text}</span>}
      {code && (
        <Button size="compact-xs" variant="default" onClick={() => take(code)}>
          {codesTexts.use(code)}
        </Button>
      )}
    </span>
  )
}

/** The valid code that is closest to a text; null if there is none. */
function tidy(text: string): string | null {
  const plain = text.normalize('NFKD').replace(/\p{Mark}/gu, '')
  const code = plain
    .replace(/[^\w-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)
  return code === '' ? null : code
}
