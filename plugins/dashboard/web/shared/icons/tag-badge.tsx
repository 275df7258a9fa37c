import { IconSpeakerphone } from './icons.ts'
import classes from './tag-badge.module.css'

/** A tag with its colour, in text that is legible on any colour. */
export function TagBadge({ name, color }: { readonly name: string; readonly color: string }) {
  return (
    <span className={classes.tag} title={name}>
      <span className={classes.dot} style={{ background: color }} />
      <span className={classes.name}>{name}</span>
    </span>
  )
}

/** The campaign of a link, beside its tags. */
export function CampaignBadge({ name }: { readonly name: string }) {
  return (
    <span className={classes.tag} title={name}>
      <IconSpeakerphone className={classes.icon} size={12} aria-hidden="true" />
      <span className={classes.name}>{name}</span>
    </span>
  )
}
