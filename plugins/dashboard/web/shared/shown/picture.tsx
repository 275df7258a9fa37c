import classes from './picture.module.css'

/** A picture of a plugin, such as one to scan, on white also where the page is dark. What it says is beside it. */
export function Picture({ uri }: { readonly uri: string }) {
  return <img className={classes.picture} src={uri} alt="" />
}
