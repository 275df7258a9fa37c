import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type LinkVersion, saveLink } from '../../../api/links/link-form.ts'
import { linkQuery, linksKey } from '../../../api/links/links.ts'
import { useFieldForm } from '../../../shared/fields/use-field-form.ts'
import { changeOf, type Values } from '../../../shared/fields/values.ts'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { notifyDone } from '../../../shared/notices/notify.ts'
import { texts } from '../../../texts.ts'
import { allFields, type FormFields } from './fields/form-fields.ts'
import { type Difference, differencesOf, rebase, valuesOf } from './fields/values.ts'

/** Somebody else saved first. */
interface Conflict {
  readonly theirs: LinkVersion
  readonly differences: readonly Difference[]
  /** The changes made here, applied to the newest version. */
  readonly merged: Values
}

/**
 * Edits a link. A save applies only to the version that was read. A newer version is merged where nobody has to
 * choose; otherwise there is a conflict to resolve.
 */
export function useEdit(formFields: FormFields, newest: LinkVersion) {
  const fields = allFields(formFields)
  const valuesIn = ({ link }: LinkVersion) => valuesOf(fields, link)
  const queryClient = useQueryClient()
  const [base, setBase] = useState(newest)
  // Read when something is sent, which may be before the next render.
  const onto = useRef(newest)
  const [conflict, setConflict] = useState<Conflict>()
  const state = useFieldForm(valuesIn(base))

  const take = (version: LinkVersion, values = valuesIn(version)) => {
    onto.current = version
    setBase(version)
    state.rebase(valuesIn(version), values)
  }
  const compare = (theirs: LinkVersion): Conflict => {
    const [before, mine] = [valuesIn(onto.current), state.form.getValues()]
    const differences = differencesOf(fields, { base: before, mine, theirs: valuesIn(theirs) })
    return { theirs, differences, merged: rebase(mine, before, valuesIn(theirs)) }
  }

  const { submit, isPending, problem } = useSubmit(
    state.form,
    async values => {
      const { link, etag } = onto.current
      const saved = await saveLink(link.id, changeOf(valuesIn(onto.current), values), etag)
      if (saved !== 'stale') return { saved, sent: values }
      const newest = await queryClient.fetchQuery({ ...linkQuery(link.id), staleTime: 0 })
      return { conflict: compare(newest) }
    },
    ({ saved, sent, conflict }) => {
      setConflict(conflict)
      if (!saved) return undefined
      // What was typed meanwhile still has to be saved.
      take(saved, rebase(state.form.getValues(), sent, valuesIn(saved)))
      notifyDone(texts.common.saved)
      queryClient.setQueryData(linkQuery(saved.link.id).queryKey, saved)
      return queryClient.invalidateQueries({ queryKey: [...linksKey, 'list'] })
    },
  )

  useTakeIn(newest, version => {
    if (version.etag === onto.current.etag || isPending || conflict) return
    const { differences, merged } = compare(version)
    if (differences.every(({ isDisputed }) => !isDisputed)) take(version, merged)
  })

  return {
    state,
    submit,
    isPending,
    problem,
    conflict: conflict && { differences: conflict.differences, link: conflict.theirs.link },
    link: base.link,
    discard: () => take(base),
    closeConflict: () => setConflict(undefined),
    /** Saves with the other side's values for these fields. */
    resolve(theirs: ReadonlySet<string>) {
      if (!conflict) return
      const there = Object.entries(valuesIn(conflict.theirs))
      const chosen = Object.fromEntries(there.filter(([name]) => theirs.has(name)))
      take(conflict.theirs, { ...conflict.merged, ...chosen })
      setConflict(undefined)
      submit()
    },
  }
}

/** Merges each new version once. */
function useTakeIn(newest: LinkVersion, takeIn: (version: LinkVersion) => void): void {
  const latest = useRef(takeIn)
  useEffect(() => {
    latest.current = takeIn
  })
  useEffect(() => latest.current(newest), [newest])
}
