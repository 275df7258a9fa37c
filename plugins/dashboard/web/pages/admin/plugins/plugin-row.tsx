import { Switch } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { PluginState } from '../../../api/admin/plugins.ts'
import things from '../../../shared/lists/things.module.css'
import { formatNumber } from '../../../shared/text/format.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { FailureStack } from './failure-stack.tsx'
import { PluginBadges } from './plugin-badges.tsx'
import classes from './plugin-row.module.css'
import { useSwitch } from './use-switch.ts'

const words = adminTexts.plugins

/** A plugin: its status, its switch, and the link to its page. */
export function PluginRow({ plugin }: { readonly plugin: PluginState }) {
  const { feature, label, about, problem, stack, guardedLinks, decidedBy } = plugin
  const { isOn, flip, problem: refusal } = useSwitch(plugin)
  const [group = '', name = ''] = feature.split('.')
  return (
    <li>
      <div className={things.what}>
        <div className={classes.head}>
          <Link to="/admin/plugins/$group/$name" params={{ group, name }} className={classes.name}>
            {label}
          </Link>
          <PluginBadges plugin={plugin} isShort />
        </div>
        <div className={things.about}>
          {about ?? words.broken}
          {guardedLinks > 0 && (
            <span className={classes.guards}>
              {words.guards(guardedLinks, formatNumber(guardedLinks))}
            </span>
          )}
        </div>
        {problem && <p className={classes.problem}>{problem}</p>}
        <FailureStack stack={stack} />
        {refusal && (
          <p className={classes.problem} role="alert">
            {refusal}
          </p>
        )}
      </div>
      <Switch
        className={classes.switch}
        aria-label={words.switch(label)}
        checked={isOn}
        disabled={decidedBy === 'environment'}
        onChange={({ currentTarget }) => flip(currentTarget.checked)}
      />
    </li>
  )
}
