import classes from './tag-badge.module.css'

/** A tag with its colour, in writing that is legible on any. */
export function TagBadge({ name, color }: { readonly name: string; readonly color: string }) {
  return (
    <span className={classes.tag}>
      <span className={classes.dot} style={{ background: color }} />
      {name}
    </span>
  )
}
