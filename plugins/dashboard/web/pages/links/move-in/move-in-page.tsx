import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Import,
  type ImportSource,
  importSourcesQuery,
  importsQuery,
} from '../../../api/links/imports.ts'
import { Rows } from '../../../shared/lists/rows.tsx'
import { TryAgain } from '../../../shared/notices/try-again.tsx'
import { Page } from '../../../shared/page/page.tsx'
import { moveInTexts } from '../../../texts/many.ts'
import classes from '../import/import.module.css'
import { ChooseSource, type Chosen } from './choose-source.tsx'
import { FormerImports } from './former-imports.tsx'
import { ImportCard } from './import-card.tsx'

/** Brings links from another program: say from where, try it, read the report, and import. */
export function MoveInPage() {
  const sources = useQuery(importSourcesQuery)
  const newest = useQuery(importsQuery)
  const [opened, setOpened] = useState<{ readonly run: Import; readonly chosen?: Chosen }>()
  const [isNew, setIsNew] = useState(false)
  const running = newest.data?.find(isUnderWay)
  // It stays here when it ends.
  if (running && !opened && !isNew) setOpened({ run: running })
  const shown = opened?.run

  return (
    <Page title={moveInTexts.title} lead={moveInTexts.lead}>
      <Body
        failed={sources.error ?? newest.error}
        onRetry={() => Promise.all([sources.refetch(), newest.refetch()])}
        sources={newest.data === undefined ? undefined : sources.data}
      >
        {all =>
          shown ? (
            <ImportCard
              key={shown.id}
              first={shown}
              source={all.find(({ name }) => name === shown.source)}
              chosen={opened?.chosen}
              onAgain={() => {
                setOpened(undefined)
                setIsNew(true)
              }}
            />
          ) : (
            <div className={classes.preview}>
              <ChooseSource sources={all} onBegun={(run, chosen) => setOpened({ run, chosen })} />
              <FormerImports
                imports={newest.data ?? []}
                sources={all}
                onShow={run => setOpened({ run })}
              />
            </div>
          )
        }
      </Body>
    </Page>
  )
}

interface BodyProps {
  readonly failed: unknown
  onRetry(): unknown
  readonly sources: readonly ImportSource[] | undefined
  children(sources: readonly ImportSource[]): React.ReactNode
}

function Body({ failed, onRetry, sources, children }: BodyProps) {
  if (sources) return children(sources)
  return failed ? <TryAgain error={failed} onRetry={onRetry} /> : <Rows />
}

function isUnderWay({ state }: Import): boolean {
  return state === 'running' || state === 'waiting'
}
