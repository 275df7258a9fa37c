import { Switch, Title } from '@mantine/core'
import { adminTexts } from '../../../texts/admin.ts'
import { byGroup } from '../by-group.ts'
import classes from './feature-switches.module.css'
import type { PlanFeature } from './plan-features.ts'

export interface FeatureSwitchesProps {
  readonly features: readonly PlanFeature[]
  /** By name, such as `link.passwordProtection`. */
  readonly chosen: Readonly<Record<string, boolean>>
  onChange(chosen: Readonly<Record<string, boolean>>): void
}

/** The features that a plan includes, by group. */
export function FeatureSwitches({ features, chosen, onChange }: FeatureSwitchesProps) {
  return byGroup(features).map(([heading, members]) => (
    <section key={heading} className={classes.group}>
      <Title order={3} size="h6">
        {heading}
      </Title>
      <div className={classes.switches}>
        {members.map(({ feature, label, about, isInstalled }) => (
          <Switch
            key={feature}
            label={label}
            description={[about, !isInstalled && adminTexts.plans.notInstalled]
              .filter(Boolean)
              .join(' ')}
            checked={chosen[feature] ?? false}
            onChange={({ currentTarget }) =>
              onChange({ ...chosen, [feature]: currentTarget.checked })
            }
          />
        ))}
      </div>
    </section>
  ))
}
