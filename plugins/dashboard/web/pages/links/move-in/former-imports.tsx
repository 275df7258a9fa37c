import { Button, Title } from '@mantine/core'
import type { Import, ImportSource } from '../../../api/links/imports.ts'
import { formatMoment } from '../../../shared/text/format.ts'
import { moveInTexts } from '../../../texts/many.ts'
import classes from '../import/import.module.css'
import { stateOf, sumsOf } from './said-of-import.ts'

export interface FormerImportsProps {
  readonly imports: readonly Import[]
  readonly sources: readonly ImportSource[]
  onShow(run: Import): void
}

/** The imports before, whose reports can be read and which can go on. */
export function FormerImports({ imports, sources, onShow }: FormerImportsProps) {
  if (imports.length === 0) return null
  return (
    <section className={classes.card} aria-labelledby="former-imports">
      <Title order={2} id="former-imports">
        {moveInTexts.former}
      </Title>
      {imports.map(run => {
        const label = sources.find(({ name }) => name === run.source)?.label ?? run.source
        const when = formatMoment(run.createdAt)
        return (
          <div key={run.id} className={classes.summary}>
            <p>
              <strong>{[label, run.file?.name].filter(Boolean).join(', ')}</strong> {when}:{' '}
              {stateOf(run)}. {sumsOf(run)}
            </p>
            <Button
              variant="default"
              aria-label={moveInTexts.showOf(label, when)}
              onClick={() => onShow(run)}
            >
              {moveInTexts.show}
            </Button>
          </div>
        )
      })}
    </section>
  )
}
