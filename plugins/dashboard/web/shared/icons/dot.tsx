import classes from './dot.module.css'

/** The colour of a tag or a campaign; its name is beside it. */
export function Dot({ color }: { readonly color: string }) {
  return <span className={classes.dot} style={{ background: color }} aria-hidden="true" />
}
