import classes from './dot.module.css'

/** The colour of a tag or a campaign, shown beside its name. */
export function Dot({ color }: { readonly color: string }) {
  return <span className={classes.dot} style={{ background: color }} aria-hidden="true" />
}
