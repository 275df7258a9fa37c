/** Every word on how links are made without opening the dashboard first. */
export const toolsTexts = {
  heading: 'From anywhere',
  lead: 'Make a link of the page that you are on. You see the form before anything is made.',
  bookmark: 'Shorten with Linnet',
  drag: 'Drag this into the bar of your bookmarks. On any page, a click on it opens the form filled in.',
  notHere:
    'Drag it into the bar of your bookmarks, and click it there, on the page that you want a link to.',
  byHand: 'Or make a bookmark with this as its address:',
  copy: 'Copy the bookmarklet',
  phone:
    'On a phone, add this page to the home screen. Where the browser can, Linnet is then among what you share pages to.',
} as const
