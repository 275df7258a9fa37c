import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import { tokensTexts } from '../../texts/tokens.ts'
import { allows, type Resource, toggle, useGrantable } from './scopes.ts'
import classes from './scopes-field.module.css'

export interface ScopesFieldProps {
  readonly value: readonly string[]
  readonly error?: ReactNode
  onChange(value: readonly string[]): void
}

/** The scopes of a token, from everything to single ones. */
export function ScopesField({ value, error, onChange }: ScopesFieldProps) {
  const { isAdmin, resources } = useGrantable()
  const flip = (scope: string) => onChange(toggle(value, scope))
  const isAll = value.includes('*')
  return (
    <fieldset className={classes.field}>
      <legend>{tokensTexts.scopes}</legend>
      <p className={classes.hint}>{tokensTexts.writeHint}</p>
      <div className={classes.groups}>
        <Checkbox
          label={tokensTexts.everything}
          description={tokensTexts.everythingHint}
          checked={isAll}
          onChange={() => flip('*')}
        />
        {resources.map(resource => (
          <ResourceScopes key={resource.key} resource={resource} value={value} onFlip={flip} />
        ))}
        <Checkbox
          label={tokensTexts.profile}
          description={tokensTexts.profileHint}
          checked={allows(value, 'profile:read')}
          disabled={isAll}
          onChange={() => flip('profile:read')}
        />
        {isAdmin && (
          <Checkbox
            label={tokensTexts.admin}
            description={tokensTexts.adminHint}
            checked={allows(value, 'admin')}
            disabled={isAll}
            onChange={() => flip('admin')}
          />
        )}
      </div>
      {error && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

interface ResourceScopesProps {
  readonly resource: Resource
  readonly value: readonly string[]
  onFlip(scope: string): void
}

function ResourceScopes({
  resource: { key, name, hasWrites },
  value,
  onFlip,
}: ResourceScopesProps) {
  const [read, write] = [`${key}:read`, `${key}:write`]
  const isAll = value.includes('*')
  return (
    <div className={classes.resource}>
      <span>{name}</span>
      <Checkbox
        label={tokensTexts.read}
        aria-label={tokensTexts.readOf(name)}
        checked={allows(value, read)}
        disabled={isAll || value.includes(write)}
        onChange={() => onFlip(read)}
      />
      {(hasWrites || value.includes(write)) && (
        <Checkbox
          label={tokensTexts.write}
          aria-label={tokensTexts.writeOf(name)}
          checked={allows(value, write)}
          disabled={isAll}
          onChange={() => onFlip(write)}
        />
      )}
    </div>
  )
}
