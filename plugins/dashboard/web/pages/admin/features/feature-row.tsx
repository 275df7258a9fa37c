import { Switch } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { profileKey } from '../../../api/account/profile.ts'
import {
  type Features,
  type Flag,
  featuresKey,
  switchFeature,
} from '../../../api/admin/features.ts'
import { manifestQuery } from '../../../api/instance/manifest.ts'
import { wordsOf } from '../../../shared/fields/names.ts'
import { messageOf, notifyDone } from '../../../shared/notices/notify.ts'
import { useRefresh } from '../../../shared/page/use-refresh.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { useWanted } from '../use-wanted.ts'
import classes from './feature-row.module.css'

export interface FeatureRowProps {
  readonly flag: Flag
  readonly isOn: boolean
}

const words = adminTexts.features

/** A switch that applies to every account, and what it does. */
export function FeatureRow({ flag, isOn }: FeatureRowProps) {
  const { flip, shown, error } = useFlip(flag, isOn)
  return (
    <li>
      <Switch
        className={classes.row}
        labelPosition="left"
        label={<span className={classes.name}>{nameOf(flag)}</span>}
        description={words.about[flag]}
        error={error && messageOf(error)}
        checked={shown}
        onChange={({ currentTarget }) => flip(currentTarget.checked)}
        classNames={{ body: classes.body, labelWrapper: classes.words }}
      />
    </li>
  )
}

function useFlip(flag: Flag, isOn: boolean) {
  const queryClient = useQueryClient()
  const refresh = useRefresh()
  const { shown, want, forget } = useWanted(isOn)
  const { mutate, error } = useMutation({
    mutationFn: (willBeOn: boolean) => switchFeature(flag, willBeOn),
    meta: { showsProblem: true },
    onSettled: forget,
    async onSuccess(features: Features) {
      queryClient.setQueryData(featuresKey, features)
      notifyDone(features[flag] ? words.on(nameOf(flag)) : words.off(nameOf(flag)))
      await refresh(profileKey, manifestQuery.queryKey)
    },
  })
  const flip = (willBeOn: boolean) => {
    want(willBeOn)
    mutate(willBeOn)
  }
  return { flip, shown, error }
}

/** Our own label, or `Mood creation` from `moodCreationEnabled`. */
function nameOf(flag: string): string {
  const [, ours] = Object.entries(words.names).find(([known]) => known === flag) ?? []
  return ours ?? wordsOf(flag.replace(/Enabled$/, ''))
}
