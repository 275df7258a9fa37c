import { VisuallyHidden } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { manifestQuery } from '../../api/instance/manifest.ts'
import { IconCircleCheck, IconCircleX } from '../../shared/icons/icons.ts'
import { settingsTexts } from '../../texts/settings.ts'
import classes from './included.module.css'

type Group = keyof typeof settingsTexts.groups

const groups = Object.keys(settingsTexts.groups) as Group[]

/** The installed features that the plan includes, with the plugins' own labels. */
export function Included() {
  const { data: plugins } = useSuspenseQuery(manifestQuery)
  const included = plugins.filter(({ enabled }) => enabled).length
  return (
    <details className={classes.included}>
      <summary>
        {settingsTexts.included}
        <span className={classes.count}>
          {settingsTexts.includes(String(included), String(plugins.length))}
        </span>
      </summary>
      {groups.map(group => {
        const members = plugins.filter(({ feature }) => groupOf(feature) === group)
        return (
          members.length > 0 && (
            <div key={group}>
              <h3>{settingsTexts.groups[group]}</h3>
              <ul className={classes.list}>
                {members.map(({ feature, about, enabled }) => (
                  <li key={feature} data-missing={!enabled || undefined}>
                    {enabled ? <IconCircleCheck size={17} /> : <IconCircleX size={17} />}
                    <VisuallyHidden>
                      {enabled ? settingsTexts.yes : settingsTexts.no}
                    </VisuallyHidden>
                    {about}
                  </li>
                ))}
              </ul>
            </div>
          )
        )
      })}
    </details>
  )
}

function groupOf(feature: string): Group {
  return groups.find(group => feature.startsWith(`${group}.`)) ?? 'other'
}
