import { Button, FileButton, Input } from '@mantine/core'
import { type ReactNode, useId, useRef } from 'react'
import { IconPhoto } from '../../../shared/icons/icons.ts'
import { adminTexts } from '../../../texts/admin.ts'
import classes from './logo-field.module.css'
import { logoTypes, readLogo } from './read-logo.ts'

const words = adminTexts.brand

export interface LogoFieldProps {
  /** As a data URI. */
  readonly logo: string | null
  readonly error: ReactNode
  onChange(logo: string | null): void
  /** Called when the chosen file cannot be a logo. */
  onRefuse(problem: string): void
}

/** Choose a logo file, see it, and remove it. */
export function LogoField({ logo, error, onChange, onRefuse }: LogoFieldProps) {
  const hintId = useId()
  // Without this, a corrected version of the same file could not be chosen again.
  const forget = useRef<() => void>(null)
  async function take(file: File | null): Promise<void> {
    if (!file) return
    forget.current?.()
    const chosen = await readLogo(file)
    if (chosen === undefined) onRefuse(words.logoRefused)
    else onChange(chosen)
  }

  return (
    <fieldset className={classes.field} aria-describedby={hintId}>
      <legend>{words.logo}</legend>
      <Input.Description id={hintId}>{words.logoHint}</Input.Description>
      {logo && (
        <div className={classes.logo}>
          <img src={logo} alt="" />
        </div>
      )}
      <div className={classes.actions}>
        <FileButton accept={logoTypes.join()} resetRef={forget} onChange={file => void take(file)}>
          {props => (
            <Button
              {...props}
              variant="default"
              size="xs"
              leftSection={<IconPhoto size={16} aria-hidden="true" />}
            >
              {logo ? words.otherLogo : words.chooseLogo}
            </Button>
          )}
        </FileButton>
        {logo && (
          <Button variant="subtle" size="xs" onClick={() => onChange(null)}>
            {words.removeLogo}
          </Button>
        )}
      </div>
      {error && <Input.Error role="alert">{error}</Input.Error>}
    </fieldset>
  )
}
